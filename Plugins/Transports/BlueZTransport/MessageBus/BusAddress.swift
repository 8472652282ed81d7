/// Which message bus.
package enum BusAddress: Hashable, Sendable {
  /// The machine's own, or the one that the variable DBUS_SYSTEM_BUS_ADDRESS names.
  case system
  /// One at an address, such as `unix:path=/run/bus`.
  case at(String)
}
