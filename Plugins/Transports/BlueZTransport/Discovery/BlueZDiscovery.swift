package import CheckIn
internal import CheckInCore
internal import SocketIO
internal import Synchronization

/// Advertises and browses with a Bluetooth controller: by `bluetoothd` where it runs, else by the kernel's management
/// interface, for which the program needs the capability CAP_NET_ADMIN.
///
/// Who owns `org.bluez` on the system's message bus decides, now and whenever that changes. The program switches the
/// controller on itself. One that was on once and is off later was switched off by somebody, and stays so.
package final class BlueZDiscovery: Sendable {
  private let open: @Sendable () throws(TransportError) -> any Connection
  private let bus: BusAddress?
  let settings: Settings
  /// The controllers that have been on, as the kernel numbers them.
  private let wereOn = Mutex<Set<UInt16>>([])
  /// The controllers that have been on, as bluetoothd names them.
  private let wereOnByDaemon = Mutex<Set<String>>([])

  /// The times.
  package struct Settings: Sendable {
    /// After how long the kernel takes an advertisement away that nobody renews: how long a kiosk that was killed is heard.
    package var lifetime = Duration.seconds(12)
    /// How often an advertisement is renewed.
    package var renewal = Duration.seconds(4)
    /// How long to wait before an advertisement is put out again that a connection has ended.
    package var pause = Duration.milliseconds(200)
    /// How long one round of looking is. Most controllers tell of each device once a round.
    package var round = Duration.milliseconds(1_500)
    /// How long bluetoothd may take for an answer.
    package var patience = Duration.seconds(10)
    /// How long a bluetoothd that has just begun may take to find its controllers.
    package var arrival = Duration.seconds(3)
    /// How long to wait, when a controller is switched off, for bluetoothd to go away: it switches its controllers off then.
    package var departure = Duration.seconds(1)
    /// How long a bluetoothd that has gone away has to begin anew, before one does without.
    package var grace = Duration.seconds(3)

    /// The usual times.
    package init() {}
  }

  /// Discovery on these loops.
  convenience init(loops: EventLoopGroup, settings: Settings = Settings()) {
    self.init(settings: settings, bus: .system) { () throws(TransportError) in try ManagementSocketOpening.open(loops) }
  }

  /// Discovery over another way to the kernel, and on another bus or none, for tests.
  package init(
    settings: Settings, bus: BusAddress? = nil, open: @escaping @Sendable () throws(TransportError) -> any Connection
  ) {
    self.settings = settings
    self.bus = bus
    self.open = open
  }

  /// Advertises the listener with that PSM; see ``/CheckIn/DiscoverableTransport``.
  package func advertise(
    _ advertisement: Advertisement, at endpoint: Endpoint
  ) async throws(TransportError) -> BlueZAdvertiser {
    let listener = try L2CAPEndpoint(endpoint, of: .lowEnergy)
    guard BluetoothAdvertisement.psms.contains(listener.psm) else {
      throw TransportError(
        .addressMalformed,
        "\(endpoint) cannot be advertised: it needs a PSM from 0x0080 to 0x00ff, as a listener's own endpoint has it.")
    }
    let content = BluetoothAdvertisement(
      psm: listener.psm, carriesTLS: advertisement.carriesTLS, event: advertisement.event, name: advertisement.kiosk)
    var advertising = AdvertisingEitherWay(
      content: content, endpoint: endpoint, place: listener.place, discovery: self, daemon: try await findDaemon())
    do throws(TransportError) {
      let way = try await advertising.begin()
      return BlueZAdvertiser(advertising, endpoint: endpoint, way: way)
    } catch {
      advertising.daemon?.close()
      throw error
    }
  }

  /// Looks for kiosks; see ``/CheckIn/DiscoverableTransport``.
  package func browse(at endpoint: Endpoint) async throws(TransportError) -> any Browser {
    // Read before anybody is asked.
    _ = try Look(endpoint)
    let way = try await look(at: endpoint, over: try await findDaemon())
    return BlueZBrowser(place: endpoint, way: way, discovery: self)
  }
}

/// Bluetoothd, or not.
extension BlueZDiscovery {
  /// The bus, if there is one, and who is bluetoothd there.
  func findDaemon() async throws(TransportError) -> BluetoothDaemon? {
    guard let bus else { return nil }
    do throws(TransportError) {
      return try await BluetoothDaemon.find(on: bus, patience: settings.patience)
    } catch {
      // A bus that does not work is as good as none.
      guard error.code == .cancelled else { return nil }
      throw error
    }
  }

  /// Gives a bluetoothd that is gone some time to begin anew, also where the bus itself begins anew.
  func awaitOwner(of daemon: BluetoothDaemon) async throws(TransportError) -> BluetoothDaemon? {
    let deadline = ContinuousClock.now + settings.grace
    var daemon = daemon
    while daemon.owner == nil, ContinuousClock.now < deadline {
      do throws(TransportError) {
        if daemon.isLost {
          if let found = try await findDaemon() { daemon = found } else { try await pause() }
        } else {
          _ = try await daemon.inbox.next(before: deadline)
        }
      } catch {
        guard error.code == .timedOut else { throw error }
      }
    }
    return daemon.isLost ? nil : daemon
  }

  private func pause() async throws(TransportError) {
    guard (try? await Task.sleep(for: settings.pause)) != nil else {
      throw TransportError(.cancelled, "Waiting for the message bus was cancelled.")
    }
  }

  /// Finds the controller at bluetoothd and makes it ready.
  func prepare(
    _ place: L2CAPEndpoint.Place?, needed: String, at daemon: BluetoothDaemon, isFollowing: Bool
  ) async throws(TransportError) -> DaemonAdapter {
    let adapter = try await DaemonAdapter.find(place, needed: needed, at: daemon, within: settings.arrival)
    daemon.read { adapter.event(of: $0) }
    let wasOn = wereOnByDaemon.withLock { $0.contains(adapter.name) }
    try await adapter.prepare(at: daemon, mayPower: isFollowing || !wasOn, within: settings.arrival)
    wereOnByDaemon.withLock { _ = $0.insert(adapter.name) }
    return adapter
  }

  /// Begins to look. The bus, if any, is the look-out's from now on.
  fileprivate func look(
    at endpoint: Endpoint, over daemon: BluetoothDaemon?, isFollowing: Bool = false
  ) async throws(TransportError) -> LookingWay {
    let look = try Look(endpoint)
    do throws(TransportError) {
      if let daemon, daemon.owner != nil {
        let adapter = try await prepare(
          look.place, needed: DaemonAdapter.interface, at: daemon, isFollowing: isFollowing)
        return .daemon(
          try await DaemonLooking.start(
            with: adapter, of: daemon, namesController: look.place != nil, settings: settings))
      }
    } catch {
      daemon?.close()
      throw error
    }
    daemon?.close()
    let (controller, socket) = try await openController(look.place, isFollowing: isFollowing)
    do throws(TransportError) {
      return .kernel(
        try await KernelLooking.start(
          namesController: look.place != nil, controller: controller, socket: socket, round: settings.round))
    } catch {
      socket.connection.abort()
      throw error
    }
  }

  /// How to look on after an error; nil where it stands.
  func lookOn(
    after way: LookingWay, _ error: TransportError, at endpoint: Endpoint
  ) async throws(TransportError) -> LookingWay? {
    switch way {
    case .daemon(let looking):
      guard error.code == .lost else { return nil }
      let daemon = looking.daemon.isLost ? try await findDaemon() : looking.daemon
      guard let daemon else { return try await look(at: endpoint, over: nil, isFollowing: true) }
      return try await look(at: endpoint, over: try await awaitOwner(of: daemon), isFollowing: true)
    case .kernel:
      guard error.code != .cancelled, error.code != .timedOut else { return nil }
      guard let daemon = try await findDaemon() else { return nil }
      guard daemon.owner != nil else {
        daemon.close()
        return nil
      }
      return try await look(at: endpoint, over: daemon, isFollowing: true)
    }
  }

  /// Where to look.
  private struct Look {
    /// Nil: with the first controller.
    let place: L2CAPEndpoint.Place?

    init(_ endpoint: Endpoint) throws(TransportError) {
      let isAnywhere = endpoint == Endpoint(scheme: BluetoothLink.lowEnergy.scheme, address: "")
      place = isAnywhere ? nil : try L2CAPEndpoint(endpoint, of: .lowEnergy).place
    }
  }
}

/// The kernel's management interface.
extension BlueZDiscovery {
  /// Advertises without bluetoothd.
  func advertiseByKernel(
    _ content: BluetoothAdvertisement, at endpoint: Endpoint, place: L2CAPEndpoint.Place, isFollowing: Bool
  ) async throws(TransportError) -> KernelAdvertiser {
    let (controller, socket) = try await openController(place, isFollowing: isFollowing)
    do throws(TransportError) {
      return try await KernelAdvertiser.start(
        content, endpoint: endpoint, controller: controller, socket: socket, settings: settings)
    } catch {
      socket.connection.abort()
      throw error
    }
  }

  /// Finds the controller and makes it ready.
  private func openController(
    _ place: L2CAPEndpoint.Place?, isFollowing: Bool
  ) async throws(TransportError) -> (Controller, ManagementSocket) {
    var socket = ManagementSocket(try open())
    do throws(TransportError) {
      let controller = try await Controller.find(place, over: &socket)
      socket.controller = controller.number
      let wasOn = wereOn.withLock { $0.contains(controller.number) }
      try await controller.prepare(&socket, mayPower: isFollowing || !wasOn)
      wereOn.withLock { _ = $0.insert(controller.number) }
      return (controller, socket)
    } catch {
      socket.connection.abort()
      throw error
    }
  }
}
