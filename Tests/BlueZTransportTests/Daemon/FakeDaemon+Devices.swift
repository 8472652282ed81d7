internal import BlueZTransport
internal import CheckIn
internal import CheckInCore

/// What bluetoothd tells of devices.
extension FakeDaemon {
  static func device(_ address: String) -> String {
    "\(hci0)/dev_" + String(address.map { $0 == ":" ? "_" : $0 })
  }

  /// The properties of a kiosk that was heard.
  static func kiosk(
    name: String? = "Hall A", address: String = "01:02:03:04:05:06", type: String = "public", signal: Int16? = -60,
    fields: [UInt8] = [0x10, 0x81, 0x00, 0, 0, 0, 7]
  ) -> [String: BusValue] {
    var properties: [String: BusValue] = [
      "Address": .string(address), "AddressType": .string(type), "Alias": .string("another name"),
      "ServiceData": serviceData(fields),
    ]
    if let name { properties["Name"] = .string(name) }
    if let signal { properties["RSSI"] = .int16(signal) }
    return properties
  }

  static func serviceData(_ fields: [UInt8]) -> BusValue {
    .dictionary(
      of: "{sv}",
      [
        (.string("0000180f-0000-1000-8000-00805f9b34fb"), .variant(.bytes([100]))),
        (.string("05958059-e5b0-411d-901b-73bbd41fc1f6"), .variant(.bytes(fields))),
      ])
  }

  /// A device that was not known is heard.
  func hear(_ properties: [String: BusValue] = FakeDaemon.kiosk()) {
    added(FakeDaemon.device(properties["Address"]?.string ?? ""), "org.bluez.Device1", properties)
  }

  func added(_ path: String, _ interface: String, _ properties: [String: BusValue]) {
    bus.emit(
      BusSignal(
        "/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded",
        [.path(path), .dictionary(of: "{sa{sv}}", [(.string(interface), .properties(properties))])]))
  }

  func removed(_ path: String) {
    bus.emit(
      BusSignal(
        "/", "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved",
        [.path(path), .array(of: "s", [.string("org.bluez.Device1")])]))
  }
}
