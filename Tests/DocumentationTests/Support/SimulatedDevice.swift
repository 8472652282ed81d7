internal import CheckInCore
internal import TestSupport

/// The parts of a phone without tasks and sockets, at a simulated kiosk.
final class SimulatedDevice: PhoneDevice {
  let world = SimulationWorld(seed: 1)
  let event = SimulationEvent(cryptography: SimulationCryptography(seed: 3))
  let kiosk: SimulationKiosk
  private(set) var outcome: AttendeeOutcome?
  private(set) var isClosed = false
  private(set) var runningTimers: Set<AttendeeTimer> = []
  /// What the person says when asked.
  var confirmation = Confirmation.confirmed(evidence: [])
  /// The kiosk answers the connection.
  var isReachable = true
  private let line: SimulationLine
  private var inputs: [AttendeeInput] = []
  private var timers: [AttendeeTimer: SimulationWorld.Appointment] = [:]

  init() {
    let (profile, key) = event.kiosk("Hall A")
    kiosk = SimulationKiosk(world: world, event: event, profile: profile, key: key, ledger: SimulationLedger())
    line = SimulationLine(world: world)
  }

  /// Runs the article's loop to its end.
  func checkIn() {
    if isReachable { kiosk.accept(line) }
    line.receive(at: .phone) { [unowned self] arrival in
      switch arrival {
      case .body(let body): inputs.append(.received(body))
      case .finished: inputs.append(.peerFinished)
      case .lost: inputs.append(.peerLost)
      }
    }
    let (profile, key) = event.attendee("Ada")
    DrivenSession(
      profile: profile, cryptography: event.cryptography, key: key, radio: self, screen: self, timers: self,
      clock: { [unowned self] in world.now }, nextInput: { [unowned self] in nextInput() },
      perform: { [unowned self] in perform($0) }
    ).run()
  }

  func send(frame body: [UInt8]) {
    line.send(body, from: .phone)
  }

  func draw(_ view: AttendeeView) {
    if case .pin(let shown) = view {
      world.after(.seconds(4)) { [unowned self] in kiosk.type(shown.pin.digits) }
    }
  }

  func start(_ timer: AttendeeTimer, _ duration: Duration) {
    stop(timer)
    runningTimers.insert(timer)
    timers[timer] = world.after(duration) { [unowned self] in inputs.append(.timerFired(timer)) }
  }

  func stop(_ timer: AttendeeTimer) {
    runningTimers.remove(timer)
    timers.removeValue(forKey: timer)?.cancel()
  }

  private func perform(_ action: AttendeeAction) {
    switch action {
    case .askConfirmation: inputs.append(.confirmation(confirmation))
    case .finish(let outcome): self.outcome = outcome
    case .close:
      isClosed = true
      line.close(from: .phone)
    case .abort:
      isClosed = true
      line.abort(from: .phone)
    default: break
    }
  }

  /// Lets the world go on until there is something to hand in; the phone's own timers see to it that there is.
  private func nextInput() -> AttendeeInput {
    while inputs.isEmpty { world.advance(by: .milliseconds(10)) }
    return inputs.removeFirst()
  }
}
