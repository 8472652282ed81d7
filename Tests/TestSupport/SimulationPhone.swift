package import CheckInCore

/// A phone of a simulation that runs an ``AttendeeSession`` on one line.
package final class SimulationPhone {
  package typealias Session = AttendeeSession<SimulationCryptography, FakeSigningKey>

  /// The attempt.
  package let request: RequestID
  /// Shown so far.
  package private(set) var views: [AttendeeView] = []
  /// Told to the observer so far.
  package private(set) var events: [AttendeeEvent] = []
  /// Every action, in order.
  package private(set) var actions: [AttendeeAction] = []
  /// How the attempt ended.
  package private(set) var outcome: AttendeeOutcome?
  /// The PIN that the screen shows.
  package private(set) var shownPIN: PIN?
  /// Whether a prover's question is open.
  package private(set) var isAsking = false
  /// The contexts that provers were asked with.
  package private(set) var contexts: [ConfirmationContext] = []
  /// Answers a prover's question; nil leaves it open.
  package var person: ((ConfirmationContext) -> Confirmation?)?
  /// How long the person takes for that.
  package var thinking: () -> Duration = { .zero }
  /// Called when the attempt has ended.
  package var whenFinished: ((AttendeeOutcome) -> Void)?
  /// Called when the screen shows a PIN.
  package var whenShownPIN: ((PIN) -> Void)?

  private let world: SimulationWorld
  private let line: SimulationLine
  private var session: Session
  private var timers: [AttendeeTimer: SimulationWorld.Appointment] = [:]

  package init(
    world: SimulationWorld, line: SimulationLine, profile: AttendeeProfile, key: FakeSigningKey,
    cryptography: SimulationCryptography, request: RequestID? = nil, settings: AttendeeSettings = AttendeeSettings()
  ) {
    self.world = world
    self.line = line
    session = Session(profile: profile, settings: settings, request: request, cryptography: cryptography, key: key)
    self.request = session.request
  }

  /// Whether the session is over.
  package var isEnded: Bool { session.isEnded }

  /// Begins, on a line that is open.
  package func start() {
    give(.start)
    line.receive(at: .phone) { [weak self] arrival in
      switch arrival {
      case .body(let body): self?.give(.received(body))
      case .finished: self?.give(.peerFinished)
      case .lost: self?.give(.peerLost)
      }
    }
  }

  /// Hands an input to the session, as the shell would.
  package func give(_ input: AttendeeInput) {
    for action in session.handle(input, now: world.now) {
      actions.append(action)
      perform(action)
    }
  }

  private func perform(_ action: AttendeeAction) {
    switch action {
    case .send(let body): line.send(body, from: .phone)
    case .askConfirmation(_, let context):
      isAsking = true
      contexts.append(context)
      guard let confirmation = person?(context) else { return }
      world.after(thinking()) { [weak self] in
        guard let self, isAsking else { return }
        isAsking = false
        give(.confirmation(confirmation))
      }
    case .stopAsking: isAsking = false
    case .show(let view):
      views.append(view)
      switch view {
      case .pin(let view):
        shownPIN = view.pin
        whenShownPIN?(view.pin)
      case .outcome: shownPIN = nil
      default: break
      }
    case .startTimer(let timer, let duration):
      timers[timer]?.cancel()
      timers[timer] = world.after(duration) { [weak self] in self?.give(.timerFired(timer)) }
    case .stopTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
    case .report(let event): events.append(event)
    case .finish(let outcome):
      if self.outcome != nil { world.violate("an attempt ended twice") }
      self.outcome = outcome
      whenFinished?(outcome)
    case .close, .abort:
      timers.values.forEach { $0.cancel() }
      if case .close = action { line.close(from: .phone) } else { line.abort(from: .phone) }
      if outcome == nil { world.violate("an attempt ended without an outcome") }
    }
  }
}
