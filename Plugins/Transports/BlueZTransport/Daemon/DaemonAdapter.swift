internal import CheckIn

/// A controller, as bluetoothd shows it.
struct DaemonAdapter: Hashable, Sendable {
  static let interface = "org.bluez.Adapter1"
  static let deviceInterface = "org.bluez.Device1"
  private static let properties = "org.freedesktop.DBus.Properties"

  /// Such as `/org/bluez/hci0`.
  let path: String
  /// Which bluetoothd: its unique name on the bus.
  let owner: String

  /// Such as `hci0`.
  var name: String { DaemonAdapter.name(of: path) }

  private static func name(of path: String) -> String { String(path.split(separator: "/").last ?? "") }

  /// Finds a controller by its number or its address; nil: the first. A bluetoothd that has just begun gets some time to
  /// find its controllers.
  ///
  /// - Parameter needed: the interface that it is needed for.
  static func find(
    _ place: L2CAPEndpoint.Place?, needed: String, at daemon: BluetoothDaemon, within time: Duration
  ) async throws(TransportError) -> DaemonAdapter {
    let deadline = ContinuousClock.now + time
    guard let owner = daemon.owner else { throw .daemonGone }
    while true {
      let answer = try await daemon.call(
        "/", DaemonObjects.interface, "GetManagedObjects", for: "Listing the controllers")
      guard let objects = DaemonObjects(answer) else {
        throw TransportError(daemon: .unreadable, "Listing the controllers")
      }
      let adapters = objects.properties.filter { $0.value[interface] != nil }.sorted { $0.key < $1.key }
      let found = adapters.first { path, interfaces in
        switch place {
        case nil: true
        case .controller(let number): name(of: path) == "hci\(number)"
        case .device(let address):
          interfaces[interface]?["Address"]?.string.flatMap(BluetoothAddress.init) == address
        }
      }
      if let found, found.value[needed] != nil { return DaemonAdapter(path: found.key, owner: owner) }
      if try await daemon.hasNews(of: owner, before: deadline) { continue }
      guard found == nil else {
        throw TransportError(daemon: .refused(name: "org.bluez.Error.NotSupported", text: ""), "Using \(needed)")
      }
      let names = adapters.map { name(of: $0.key) }
      let known = names.isEmpty ? "It has none." : "It has \(names.inWords)."
      throw TransportError(
        .addressUnavailable,
        "bluetoothd knows no Bluetooth controller \(place.map { "\($0)" } ?? "at all"). \(known)")
    }
  }

  /// Switches it on where it is off.
  ///
  /// - Parameter mayPower: whether it may be switched on. One that was on before and is off now was switched off by
  ///   somebody, and stays so, unless a bluetoothd that has just begun is about to switch it on.
  func prepare(
    at daemon: BluetoothDaemon, mayPower: Bool, within time: Duration
  ) async throws(TransportError) {
    let deadline = ContinuousClock.now + time
    let what = "Preparing \(name)"
    var refusal = ManagementStatus.notPowered.error(what)
    while true {
      let answer = try await daemon.call(
        path, DaemonAdapter.properties, "Get", [.string(DaemonAdapter.interface), .string("Powered")], for: what)
      guard let isPowered = answer.first?.content?.bool else { throw TransportError(daemon: .unreadable, what) }
      if isPowered { return }
      if mayPower {
        do throws(TransportError) {
          _ = try await daemon.call(
            path, DaemonAdapter.properties, "Set",
            [.string(DaemonAdapter.interface), .string("Powered"), .variant(.bool(true))], for: what)
          return
        } catch {
          // Busy: somebody switches it on at this moment, such as bluetoothd itself when it begins.
          guard error.code == .resourcesExhausted else { throw error }
          refusal = error
        }
      }
      guard try await daemon.hasNews(of: owner, before: deadline) else { throw refusal }
    }
  }

  /// What a signal says about this controller.
  func event(of signal: BusSignal) -> BluetoothDaemon.Event? {
    switch (signal.member, signal.arguments.first) {
    case ("InterfacesAdded", .path(let added)) where added.hasPrefix(path + "/"):
      // A device that connects and was not known comes with that, and its connection is not told of otherwise.
      let device = signal.arguments.last.flatMap(DaemonObjects.interfaces)?[DaemonAdapter.deviceInterface]
      return device?["Connected"] == .bool(true) ? .connectionsChanged : nil
    case ("InterfacesAdded", _): return .objectAdded
    case ("InterfacesRemoved", .path(path)):
      return signal.arguments.count == 2 && signal.arguments[1].strings?.contains(DaemonAdapter.interface) == true
        ? .controllerRemoved : nil
    case ("PropertiesChanged", .string(DaemonAdapter.interface)) where signal.path == path:
      return signal.changedProperties?["Powered"]?.bool.map { .powered($0) }
    case ("PropertiesChanged", .string(DaemonAdapter.deviceInterface)) where signal.path.hasPrefix(path + "/"):
      return signal.changedProperties?["Connected"]?.bool == nil ? nil : .connectionsChanged
    default: return nil
    }
  }
}

extension BusSignal {
  /// The properties that a `PropertiesChanged` has new values for.
  var changedProperties: [String: BusValue]? {
    arguments.count == 3 ? arguments[1].properties : nil
  }
}

extension BluetoothDaemon {
  /// Waits until something has changed that may help; false when the time is up.
  ///
  /// - Throws: when bluetoothd or the bus is gone.
  func hasNews(of owner: String, before deadline: Deadline) async throws(TransportError) -> Bool {
    while true {
      do throws(TransportError) {
        switch try await inbox.next(before: deadline) {
        case .objectAdded, .powered: return true
        case .owner(owner): continue
        case .busLost, .owner: throw .daemonGone
        default: continue
        }
      } catch {
        guard error.code == .timedOut else { throw error }
        return false
      }
    }
  }
}

extension BluetoothDaemon {
  /// After a controller was switched off: whether it is switched on again at once.
  ///
  /// - Throws: when it was bluetoothd, on its way out.
  func switchesOn(with owner: String, within time: Duration) async throws(TransportError) -> Bool {
    let deadline = ContinuousClock.now + time
    while true {
      do throws(TransportError) {
        switch try await inbox.next(before: deadline) {
        case .powered(true): return true
        case .owner(owner): continue
        case .busLost, .owner: throw .daemonGone
        default: continue
        }
      } catch {
        guard error.code == .timedOut else { throw error }
        return false
      }
    }
  }
}

extension TransportError {
  static let daemonGone = TransportError(.lost, "bluetoothd has ended, or has begun anew.")
}
