internal import CheckIn
internal import CheckInCore

/// The devices of one controller, as bluetoothd tells of them, and which of what it tells is a kiosk that was heard now.
///
/// bluetoothd keeps what it has heard of a device, and tells of changes alone. A new device, or new service data or signal
/// strength of a known one, is something heard; what it has kept from earlier is not.
struct DaemonDevices: Sendable {
  private static let interface = DaemonAdapter.deviceInterface
  /// The most devices that are kept. Of more some are left out; no controller hears so many at once.
  private static let most = 4_096

  fileprivate struct Device: Sendable {
    var address: DeviceAddress?
    var name: String?
    var serviceData: [UInt8]?
    var signal: SignalStrength?
  }

  private let adapter: String
  private let controllerName: String?
  private var devices: [String: Device] = [:]

  /// - Parameters:
  ///   - adapter: the controller's path; devices elsewhere are nobody's.
  ///   - controllerName: what dials are to name as their controller; nil: nothing.
  init(of adapter: String, controllerName: String?) {
    self.adapter = adapter
    self.controllerName = controllerName
  }

  /// Takes what bluetoothd knew before it was listened to. What has been told since then is newer.
  mutating func know(_ objects: DaemonObjects) {
    for (path, interfaces) in objects.properties {
      guard isOurs(path), let properties = interfaces[Self.interface] else { continue }
      var device = Device()
      device.take(properties)
      device.fill(devices[path])
      keep(device, path)
    }
  }

  /// Takes a signal; answers the sighting where it says that a kiosk was heard.
  mutating func take(
    _ signal: BusSignal, at time: ContinuousClock.Instant
  ) -> (path: String, sighting: Sighting)? {
    switch signal.member {
    case "InterfacesAdded":
      guard signal.arguments.count == 2, let path = signal.arguments[0].path, isOurs(path),
        let properties = DaemonObjects.interfaces(signal.arguments[1])?[Self.interface]
      else { return nil }
      var device = Device()
      device.take(properties)
      keep(device, path)
      return properties["RSSI"] == nil ? nil : sighting(path, at: time)
    case "InterfacesRemoved":
      guard signal.arguments.count == 2, let path = signal.arguments[0].path,
        signal.arguments[1].strings?.contains(Self.interface) == true
      else { return nil }
      devices[path] = nil
      return nil
    case "PropertiesChanged":
      guard isOurs(signal.path), signal.arguments.first?.string == Self.interface,
        let changed = signal.changedProperties
      else { return nil }
      var device = devices[signal.path] ?? Device()
      device.take(changed)
      keep(device, signal.path)
      return changed["RSSI"] == nil && changed["ServiceData"] == nil ? nil : sighting(signal.path, at: time)
    default: return nil
    }
  }

  private func isOurs(_ path: String) -> Bool {
    path.hasPrefix(adapter + "/dev_")
  }

  private mutating func keep(_ device: Device, _ path: String) {
    guard devices[path] != nil || devices.count < Self.most else { return }
    devices[path] = device
  }

  /// The sighting of a device that is a kiosk's. What only claims to be one is nobody's (B3).
  private func sighting(_ path: String, at time: ContinuousClock.Instant) -> (path: String, sighting: Sighting)? {
    guard let device = devices[path], let address = device.address, let fields = device.serviceData else { return nil }
    let data = AdvertisedBytes.structure(
      type: AdvertisedBytes.serviceData, BluetoothAdvertisement.serviceBytes + fields)
    let name = AdvertisedBytes.structure(type: AdvertisedBytes.name, Array((device.name ?? "").utf8))
    // bluetoothd's name of a device may be one that it has from elsewhere, such as the host's. One that no kiosk advertises
    // counts as none.
    let read = (try? BluetoothAdvertisement.read((data + name).span)) ?? (try? BluetoothAdvertisement.read(data.span))
    guard let found = read else { return nil }
    return (path, Sighting(found, address: address, controller: controllerName, signal: device.signal, time: time))
  }
}

extension DaemonDevices.Device {
  /// Takes new values of properties. Those of a wrong type count as absent.
  fileprivate mutating func take(_ properties: [String: BusValue]) {
    if let text = properties["Address"]?.string, let read = BluetoothAddress(text) {
      let isRandom = properties["AddressType"]?.string == "random"
      address = DeviceAddress(read, kind: isRandom ? .randomLE : .publicLE)
    }
    if let value = properties["Name"] { name = value.string }
    if let value = properties["RSSI"] {
      // 127 stands for “unknown”.
      signal = value.int16.flatMap { $0 == 127 ? nil : SignalStrength(decibelMilliwatts: Int($0)) }
    }
    if let value = properties["ServiceData"] {
      let service = BluetoothAdvertisement.service.lowercased()
      serviceData = value.properties?.first { $0.key.lowercased() == service }?.value.bytes
    }
  }

  /// Takes what a newer one has.
  fileprivate mutating func fill(_ newer: DaemonDevices.Device?) {
    guard let newer else { return }
    address = newer.address ?? address
    name = newer.name ?? name
    serviceData = newer.serviceData ?? serviceData
    signal = newer.signal ?? signal
  }
}

/// The structures of an advertisement, from what bluetoothd has taken them apart to.
private enum AdvertisedBytes {
  static let serviceData: UInt8 = 0x21
  static let name: UInt8 = 0x09

  /// What is too long for one is cut to what no reader takes.
  static func structure(type: UInt8, _ data: [UInt8]) -> [UInt8] {
    let data = data.prefix(254)
    return [UInt8(data.count + 1), type] + data
  }
}
