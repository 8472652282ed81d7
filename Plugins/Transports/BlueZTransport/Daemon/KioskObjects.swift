internal import CheckIn
internal import CheckInCore

/// The objects of a kiosk that bluetoothd reads: its advertisement, and a GATT service with the PSM.
///
/// The service has two characteristics to read: the PSM as Apple's CoreBluetooth documents it for channels, two bytes, low
/// byte first; and the service data of the advertisement, which also says whether the channel carries TLS.
struct KioskObjects: Sendable {
  static let advertisementPath = "/checkin/advertisement"
  static let advertisementInterface = "org.bluez.LEAdvertisement1"
  static let applicationPath = "/checkin/gatt"
  /// `CBUUIDL2CAPPSMCharacteristicString` of CoreBluetooth.
  static let psmCharacteristic = "abdd3056-28fa-441d-a470-55a75a52553a"
  static let serviceDataCharacteristic = "7c7e5b12-334d-48e2-a908-f41afcd6e1df"

  private static let servicePath = applicationPath + "/service"
  private static let psmPath = servicePath + "/psm"
  private static let serviceDataPath = servicePath + "/service_data"
  private static let serviceInterface = "org.bluez.GattService1"
  private static let characteristicInterface = "org.bluez.GattCharacteristic1"
  private static let propertiesInterface = "org.freedesktop.DBus.Properties"
  private static let service = BluetoothAdvertisement.service.lowercased()

  private let content: BluetoothAdvertisement
  /// By path.
  private let characteristics: [String: Characteristic]
  private let released: @Sendable () -> Void

  /// - Parameter released: is told when bluetoothd has taken the advertisement away.
  init(_ content: BluetoothAdvertisement, released: @escaping @Sendable () -> Void) {
    self.content = content
    self.released = released
    characteristics = [
      KioskObjects.psmPath: Characteristic(
        uuid: KioskObjects.psmCharacteristic, value: [UInt8(content.psm & 0xff), UInt8(content.psm >> 8)]),
      KioskObjects.serviceDataPath: Characteristic(
        uuid: KioskObjects.serviceDataCharacteristic, value: content.fields),
    ]
  }

  /// Answers bluetoothd's calls from now on.
  func serve(at daemon: BluetoothDaemon) {
    let paths = [KioskObjects.advertisementPath, KioskObjects.applicationPath, KioskObjects.servicePath]
    for path in paths + characteristics.keys { daemon.serve(path) { answer($0) } }
  }

  /// What is advertised. bluetoothd makes the same structures of it as ``BluetoothAdvertisement`` does.
  var advertisement: [String: BusValue] {
    var properties: [String: BusValue] = [
      "Type": .string("peripheral"), "Discoverable": .bool(true), "ServiceData": serviceData,
    ]
    if let name = content.name { properties["LocalName"] = .string(KioskObjects.localName(name, content)) }
    return properties
  }

  /// The service data alone, as a dictionary of UUIDs.
  private var serviceData: BusValue {
    .dictionary(of: "{sv}", [(.string(KioskObjects.service), .variant(.bytes(content.fields)))])
  }

  /// A name that does not fit ends with a sign that there is more, and is a whole one to bluetoothd: it cuts names at the
  /// byte, and where it looks it keeps the old name of a device that has one when a shortened one (type 08) comes.
  private static func localName(_ name: String, _ content: BluetoothAdvertisement) -> String {
    guard content.isNameShortened else { return name }
    var kept = name
    while kept.utf8.count + more.utf8.count > BluetoothAdvertisement.nameCapacity { kept.unicodeScalars.removeLast() }
    return kept + more
  }

  private static let more = "…"

  private func answer(_ request: BusRequest) -> BusAnswer {
    switch (request.path, request.interface, request.member) {
    case (KioskObjects.advertisementPath, KioskObjects.advertisementInterface, "Release"):
      released()
      return .values([])
    case (KioskObjects.applicationPath, DaemonObjects.interface, "GetManagedObjects"):
      return .values([managedObjects])
    case (_, KioskObjects.characteristicInterface, "ReadValue"):
      guard let characteristic = characteristics[request.path] else { return .unknown(request) }
      return characteristic.read(request.arguments.first?.properties ?? [:])
    case (_, KioskObjects.propertiesInterface, "GetAll"):
      guard let properties = properties(request) else { return .unknown(request) }
      return .values([.properties(properties)])
    case (_, KioskObjects.propertiesInterface, "Get"):
      guard request.arguments.count == 2, let name = request.arguments[1].string,
        let value = properties(request)?[name]
      else {
        return .error(name: "org.freedesktop.DBus.Error.InvalidArgs", text: "There is no such property.")
      }
      return .values([.variant(value)])
    case (_, KioskObjects.propertiesInterface, "Set"):
      return .error(name: "org.freedesktop.DBus.Error.PropertyReadOnly", text: "Nothing here can be set.")
    default: return .unknown(request)
    }
  }

  private func properties(_ request: BusRequest) -> [String: BusValue]? {
    switch (request.path, request.arguments.first?.string) {
    case (KioskObjects.advertisementPath, KioskObjects.advertisementInterface): advertisement
    case (KioskObjects.servicePath, KioskObjects.serviceInterface): serviceProperties
    case (_, KioskObjects.characteristicInterface): characteristics[request.path].map(characteristicProperties)
    default: nil
    }
  }

  private var serviceProperties: [String: BusValue] {
    ["UUID": .string(KioskObjects.service), "Primary": .bool(true)]
  }

  private func characteristicProperties(_ characteristic: Characteristic) -> [String: BusValue] {
    [
      "UUID": .string(characteristic.uuid), "Service": .path(KioskObjects.servicePath),
      "Flags": .array(of: "s", [.string("read")]),
    ]
  }

  private var managedObjects: BusValue {
    func object(_ path: String, _ interface: String, _ properties: [String: BusValue]) -> (BusValue, BusValue) {
      (.path(path), .dictionary(of: "{sa{sv}}", [(.string(interface), .properties(properties))]))
    }
    return .dictionary(
      of: "{oa{sa{sv}}}",
      [object(KioskObjects.servicePath, KioskObjects.serviceInterface, serviceProperties)]
        + characteristics.sorted { $0.key < $1.key }.map { path, characteristic in
          object(path, KioskObjects.characteristicInterface, characteristicProperties(characteristic))
        })
  }
}

/// A value that can be read.
private struct Characteristic: Sendable {
  let uuid: String
  let value: [UInt8]

  func read(_ options: [String: BusValue]) -> BusAnswer {
    let offset = Int(options["offset"]?.uint16 ?? 0)
    guard offset <= value.count else {
      return .error(name: "org.bluez.Error.InvalidOffset", text: "The value has \(value.count) bytes.")
    }
    return .values([.bytes(Array(value[offset...]))])
  }
}
