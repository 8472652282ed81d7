/// All objects of bluetoothd with their interfaces and properties: what `GetManagedObjects` gives.
struct DaemonObjects {
  static let interface = "org.freedesktop.DBus.ObjectManager"

  /// By path, then interface, then name.
  private(set) var properties: [String: [String: [String: BusValue]]] = [:]

  /// Takes what is of the right types, and passes over the rest.
  init?(_ arguments: [BusValue]) {
    guard arguments.count == 1, let objects = arguments[0].entries else { return nil }
    for (path, interfaces) in objects {
      guard let path = path.path, let interfaces = DaemonObjects.interfaces(interfaces) else { continue }
      properties[path] = interfaces
    }
  }

  /// Interfaces with their properties: `a{sa{sv}}`.
  static func interfaces(_ value: BusValue) -> [String: [String: BusValue]]? {
    guard let entries = value.entries else { return nil }
    var result: [String: [String: BusValue]] = [:]
    for (name, properties) in entries {
      if let name = name.string { result[name] = properties.properties ?? [:] }
    }
    return result
  }
}
