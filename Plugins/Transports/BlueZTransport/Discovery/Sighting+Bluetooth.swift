internal import CheckIn
internal import CheckInCore

extension Sighting {
  /// A kiosk that was heard by Bluetooth.
  ///
  /// - Parameter controller: what a dial is to name as its controller; nil: nothing.
  init(
    _ found: BluetoothAdvertisement, address: DeviceAddress, controller: String?, signal: SignalStrength?,
    time: ContinuousClock.Instant
  ) {
    let psm = String(found.psm, radix: 16)
    var parameters = [
      Endpoint.Parameter(name: "psm", value: "0x" + String(repeating: "0", count: 4 - psm.utf8.count) + psm)
    ]
    if address.kind == .randomLE { parameters.append(Endpoint.Parameter(name: "type", value: "random")) }
    if let controller { parameters.append(Endpoint.Parameter(name: "device", value: controller)) }
    self.init(
      endpoint: Endpoint(
        scheme: BluetoothLink.lowEnergy.scheme, address: "\(address.address)", parameters: parameters),
      needsTLS: found.carriesTLS, kiosk: found.name.map { found.isNameShortened ? $0 + "…" : $0 },
      event: found.event, signal: signal, time: time)
  }
}
