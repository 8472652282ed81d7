internal import CheckIn
internal import CheckInCore

/// A look-out with one controller through the kernel's management interface; used by one task at a time. It reads the
/// kernel's events when it is asked for a sighting, so nothing queues in here.
struct KernelLooking: Sendable {
  /// How soon to look again when the kernel has ended a round by itself.
  private static let breath = Duration.milliseconds(100)

  let controller: Controller
  let namesController: Bool
  let round: Duration
  var socket: ManagementSocket
  private var roundEnd = ContinuousClock.now
  /// The kernel has said that this round goes on. An end that is told before that is the last round's.
  private var hasBegun = false

  private init(controller: Controller, namesController: Bool, round: Duration, socket: ManagementSocket) {
    self.controller = controller
    self.namesController = namesController
    self.round = round
    self.socket = socket
  }

  /// Begins to look. The socket is this look-out's from now on.
  static func start(
    namesController: Bool, controller: Controller, socket: ManagementSocket, round: Duration
  ) async throws(TransportError) -> KernelLooking {
    var looking = KernelLooking(
      controller: controller, namesController: namesController, round: round, socket: socket)
    try await looking.beginRound()
    return looking
  }

  /// Tells the kernel to look no more. The command is done when it is sent; nobody waits for its answer.
  static func close(_ connection: any Connection, _ controller: Controller) async {
    let command = ManagementCommand.stopDiscovery(controller.number)
    try? await connection.send(command.bytes, before: .now + .seconds(2))
    connection.abort()
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
        roundEnd = min(roundEnd, .now + KernelLooking.breath)
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
    return Sighting(
      found, address: device.address, controller: namesController ? controller.name : nil, signal: device.signal,
      time: .now)
  }
}
