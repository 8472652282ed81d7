internal import CheckIn
internal import CheckInCore
internal import Synchronization

/// A look-out with one controller. It reads the kernel's events when it is asked for a sighting, so nothing queues in here.
final class BlueZBrowser: Browser {
  let place: Endpoint

  private struct State {
    var isStopped = false
    var failure: TransportError?
    /// Nil while a task looks.
    var looking: BrowserLooking?
  }

  private let connection: any Connection
  private let controller: Controller
  private let state: Mutex<State>

  private init(place: Endpoint, looking: BrowserLooking) {
    self.place = place
    connection = looking.socket.connection
    controller = looking.controller
    state = Mutex(State(looking: looking))
  }

  deinit {
    let connection = connection
    let controller = controller
    guard state.withLock({ !$0.isStopped }) else { return }
    Task { await BlueZBrowser.close(connection, controller) }
  }

  /// Begins to look. The socket is the browser's from now on.
  static func start(
    at place: Endpoint, namesController: Bool, controller: Controller, socket: ManagementSocket, round: Duration
  ) async throws(TransportError) -> BlueZBrowser {
    var looking = BrowserLooking(
      controller: controller, namesController: namesController, round: round, socket: socket)
    try await looking.beginRound()
    return BlueZBrowser(place: place, looking: looking)
  }

  func next(before deadline: Deadline?) async throws(TransportError) -> Sighting {
    guard !Task.isCancelled else { throw .stoppedLooking(.cancelled) }
    let taken = state.withLock { state -> Result<BrowserLooking, TransportError> in
      if state.isStopped { return .failure(.stoppedLooking(.closed)) }
      if let failure = state.failure { return .failure(failure) }
      guard let looking = state.looking else { preconditionFailure("two tasks look with one browser at once") }
      state.looking = nil
      return .success(looking)
    }
    var looking = try taken.get()
    let result: Result<Sighting, TransportError>
    do throws(TransportError) {
      result = .success(try await looking.next(before: deadline))
    } catch {
      result = .failure(error)
    }
    let isStopped = state.withLock { state in
      state.looking = looking
      if case .failure(let error) = result, error.code != .cancelled, error.code != .timedOut { state.failure = error }
      return state.isStopped
    }
    guard !isStopped else { throw .stoppedLooking(.closed) }
    return try result.get()
  }

  func stop() async {
    let isFirst = state.withLock { state in
      defer { state.isStopped = true }
      return !state.isStopped
    }
    guard isFirst else { return }
    let connection = connection
    let controller = controller
    // In a task of its own, so that a cancelled one stops too.
    await Task { await BlueZBrowser.close(connection, controller) }.value
  }

  /// Tells the kernel to look no more. The command is done when it is sent; nobody waits for its answer.
  private static func close(_ connection: any Connection, _ controller: Controller) async {
    let command = ManagementCommand.stopDiscovery(controller.number)
    try? await connection.send(command.bytes, before: .now + .seconds(2))
    connection.abort()
  }
}

/// What the one task that looks has to itself.
struct BrowserLooking: Sendable {
  /// How soon to look again when the kernel has ended a round by itself.
  private static let breath = Duration.milliseconds(100)

  let controller: Controller
  let namesController: Bool
  let round: Duration
  var socket: ManagementSocket
  private var roundEnd = ContinuousClock.now
  /// The kernel has said that this round goes on. An end that is told before that is the last round's.
  private var hasBegun = false

  init(controller: Controller, namesController: Bool, round: Duration, socket: ManagementSocket) {
    self.controller = controller
    self.namesController = namesController
    self.round = round
    self.socket = socket
  }

  private var what: String { "Looking for kiosks with \(controller.name)" }

  /// Ends the round that is, and begins another, in which every device is told of again.
  mutating func beginRound() async throws(TransportError) {
    let what = what
    // Refused where no round is; that is as good.
    _ = try await socket.ask(ManagementCommand.stopDiscovery(controller.number), what)
    let (status, _) = try await socket.ask(ManagementCommand.startDiscovery(controller.number), what)
    // Busy: somebody else looks, and the kernel tells us of what they find.
    guard status == .success || status == .busy else { throw status.error(what) }
    roundEnd = .now + round
    hasBegun = false
  }

  mutating func next(before deadline: Deadline?) async throws(TransportError) -> Sighting {
    while true {
      if roundEnd <= .now { try await beginRound() }
      let event: ManagementEvent
      do throws(TransportError) {
        event = try await socket.next(before: min(deadline ?? roundEnd, roundEnd))
      } catch {
        if error.code == .cancelled { throw .stoppedLooking(.cancelled) }
        guard error.code == .timedOut else { throw error }
        if let deadline, deadline <= .now { throw .stoppedLooking(.timedOut) }
        continue
      }
      switch event {
      case .found(let device):
        if let sighting = sighting(of: device) { return sighting }
      case .discovering(true):
        hasBegun = true
      case .discovering(false) where hasBegun:
        roundEnd = min(roundEnd, .now + BrowserLooking.breath)
      case .settings(let settings) where !settings.contains(.powered):
        throw ManagementStatus.notPowered.error(what)
      case .controllerRemoved:
        throw ManagementStatus.invalidIndex.error(what)
      default: break
      }
    }
  }

  /// The sighting, where the device is a kiosk. What only claims to be one is nobody's (B3).
  private func sighting(of device: FoundDevice) -> Sighting? {
    guard device.address.kind != .classic, let found = try? BluetoothAdvertisement.read(device.data.span) else {
      return nil
    }
    let psm = String(found.psm, radix: 16)
    var parameters = [
      Endpoint.Parameter(name: "psm", value: "0x" + String(repeating: "0", count: 4 - psm.utf8.count) + psm)
    ]
    if device.address.kind == .randomLE { parameters.append(Endpoint.Parameter(name: "type", value: "random")) }
    if namesController { parameters.append(Endpoint.Parameter(name: "device", value: controller.name)) }
    return Sighting(
      endpoint: Endpoint(
        scheme: BluetoothLink.lowEnergy.scheme, address: "\(device.address.address)", parameters: parameters),
      kiosk: found.name.map { found.isNameShortened ? $0 + "…" : $0 }, event: found.event, signal: device.signal,
      time: .now)
  }
}

extension TransportError {
  /// The error of a look-out that ended so.
  static func stoppedLooking(_ code: Code) -> TransportError {
    switch code {
    case .cancelled: TransportError(.cancelled, "Looking for kiosks was cancelled.")
    case .timedOut: TransportError(.timedOut, "Looking for kiosks did not end in time.")
    default: TransportError(.closed, "This side has stopped looking for kiosks.")
    }
  }
}
