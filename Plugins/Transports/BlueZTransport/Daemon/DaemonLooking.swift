internal import CheckIn
internal import Synchronization

/// A look-out with one controller through bluetoothd; used by one task at a time. It ends with the
/// connection to the bus.
///
/// Looking is done in rounds, as without bluetoothd, because most controllers tell of each device once a round.
struct DaemonLooking: Sendable {
  private static let interface = DaemonAdapter.interface

  let daemon: BluetoothDaemon
  let adapter: DaemonAdapter
  private let sightings: Sightings
  private let round: Duration
  private let departure: Duration
  private var roundEnd = ContinuousClock.now

  private var what: String { "Looking for kiosks with \(adapter.name) through bluetoothd" }

  /// Begins to look.
  static func start(
    with adapter: DaemonAdapter, of daemon: BluetoothDaemon, namesController: Bool, settings: BlueZDiscovery.Settings
  ) async throws(TransportError) -> DaemonLooking {
    let sightings = Sightings(DaemonDevices(of: adapter.path, controllerName: namesController ? adapter.name : nil))
    daemon.read { signal in
      sightings.take(signal) ? .heard : adapter.event(of: signal)
    }
    var looking = DaemonLooking(daemon: daemon, adapter: adapter, sightings: sightings, settings: settings)
    let answer = try await daemon.call(
      "/", DaemonObjects.interface, "GetManagedObjects", for: "Listing the devices")
    if let objects = DaemonObjects(answer) { sightings.know(objects) }
    let filter: [String: BusValue] = ["Transport": .string("le"), "DuplicateData": .bool(true)]
    _ = try await daemon.call(
      adapter.path, interface, "SetDiscoveryFilter", [.properties(filter)],
      for: looking.what)
    try await looking.beginRound()
    return looking
  }

  private init(daemon: BluetoothDaemon, adapter: DaemonAdapter, sightings: Sightings, settings: BlueZDiscovery.Settings)
  {
    self.daemon = daemon
    self.adapter = adapter
    self.sightings = sightings
    round = settings.round
    departure = settings.departure
  }

  mutating func next(before deadline: Deadline?) async throws(TransportError) -> Sighting {
    while true {
      if let sighting = sightings.pop() { return sighting }
      if let deadline, deadline <= .now { throw .stoppedLooking(.timedOut) }
      if roundEnd <= .now { try await beginRound() }
      do throws(TransportError) {
        switch try await daemon.inbox.next(before: min(deadline ?? roundEnd, roundEnd)) {
        case .powered(false):
          guard try await daemon.switchesOn(with: adapter.owner, within: departure) else {
            throw ManagementStatus.notPowered.error(what)
          }
          roundEnd = .now
        case .controllerRemoved: throw ManagementStatus.invalidIndex.error(what)
        case .owner(adapter.owner): continue
        case .owner, .busLost: throw TransportError.daemonGone
        default: continue
        }
      } catch {
        if error.code == .cancelled { throw .stoppedLooking(.cancelled) }
        guard error.code == .timedOut else { throw error }
      }
    }
  }

  private mutating func beginRound() async throws(TransportError) {
    let what = what
    do throws(TransportError) {
      _ = try await daemon.call(adapter.path, DaemonLooking.interface, "StopDiscovery", for: what)
    } catch {
      // Refused where no round is; that is as good.
      guard error.code != .cancelled, error.code != .lost else { throw error }
    }
    do throws(TransportError) {
      _ = try await daemon.call(adapter.path, DaemonLooking.interface, "StartDiscovery", for: what)
    } catch {
      // In progress: a round that has not ended yet goes on.
      guard error.code == .resourcesExhausted else { throw error }
    }
    roundEnd = .now + round
  }
}

/// The newest sighting of each kiosk that nobody has asked for yet. The bus's thread puts them in.
private final class Sightings: Sendable {
  private static let most = 256

  private struct State {
    var devices: DaemonDevices
    var order: [String] = []
    var newest: [String: Sighting] = [:]
  }

  private let state: Mutex<State>

  init(_ devices: DaemonDevices) {
    state = Mutex(State(devices: devices))
  }

  func know(_ objects: DaemonObjects) {
    state.withLock { $0.devices.know(objects) }
  }

  /// True when there was none and now is one.
  func take(_ signal: BusSignal) -> Bool {
    state.withLock { state in
      guard let (path, sighting) = state.devices.take(signal, at: .now) else { return false }
      let wasEmpty = state.order.isEmpty
      if state.newest[path] == nil {
        guard state.order.count < Sightings.most else { return false }
        state.order.append(path)
      }
      state.newest[path] = sighting
      return wasEmpty
    }
  }

  func pop() -> Sighting? {
    state.withLock { state in
      state.order.isEmpty ? nil : state.newest.removeValue(forKey: state.order.removeFirst())
    }
  }
}
