package import CheckInCore

/// A kiosk of a simulation: one desk and its sessions, doing at once, or after a while, what they ask for.
package final class SimulationKiosk {
  package typealias Session = KioskSession<SimulationCryptography, FakeSigningKey>
  package typealias Desk = KioskDesk<SimulationCryptography>

  /// How long each kind of outside work takes.
  package struct Latencies {
    package var judging: () -> Duration = { .zero }
    /// From the call to the moment at which it is durable.
    package var storing: () -> Duration = { .zero }
    /// From then to the answer.
    package var answering: () -> Duration = { .zero }

    package init() {}
  }

  /// A session with its line and timers.
  private final class Visit {
    var session: Session
    let line: SimulationLine
    var timers: [KioskTimer: SimulationWorld.Appointment] = [:]
    var hasActed = false

    init(_ session: consuming Session, _ line: SimulationLine) {
      self.session = session
      self.line = line
    }
  }

  package let profile: KioskProfile
  package let ledger: SimulationLedger
  package var latencies = Latencies()
  /// The evidence that convinces.
  package var convincing: [UInt8] = Array("it is me".utf8)
  /// Tokens that were taken back.
  package var revoked: Set<[UInt8]> = []
  /// Answers to outside work are held back while this is true.
  package var isHolding = false
  /// Told to the observer so far.
  package private(set) var events: [KioskEvent] = []
  /// Shown so far.
  package private(set) var views: [KioskView] = []
  /// Whether ``actions`` are kept: the secrets in them live as long.
  package var keepsActions = true
  /// Every action of every session, in order.
  package private(set) var actions: [(session: SessionID, action: KioskAction)] = []
  /// Called with each event.
  package var observer: ((KioskEvent) -> Void)?
  /// Called with each view.
  package var display: ((KioskView) -> Void)?

  private let world: SimulationWorld
  private let event: SimulationEvent
  private let key: FakeSigningKey
  private let settings: KioskSettings
  private let deskSettings: DeskSettings
  private var desk: Desk
  private var visits: [SessionID: Visit] = [:]
  private var deskTimers: [DeskTimer: SimulationWorld.Appointment] = [:]
  private var livePINs: [SessionID: PIN] = [:]
  private var held: [() -> Void] = []
  private var epoch = 0

  package init(
    world: SimulationWorld, event: SimulationEvent, profile: KioskProfile, key: FakeSigningKey,
    ledger: SimulationLedger,
    settings: KioskSettings = KioskSettings(), deskSettings: DeskSettings = DeskSettings()
  ) {
    self.world = world
    self.event = event
    self.profile = profile
    self.key = key
    self.ledger = ledger
    self.settings = settings
    self.deskSettings = deskSettings
    desk = Desk(
      profile: profile, settings: deskSettings, sessionSettings: settings, failures: ledger.failures,
      cryptography: event.cryptography, now: world.now)
    show(desk.view)
  }

  /// What the screen shows.
  package var view: KioskView { desk.view }

  /// How many sessions are open.
  package var openSessions: Int { visits.count }

  /// Takes a connection. Answers what the desk made of it.
  @discardableResult
  package func accept(_ line: SimulationLine, peer: String? = nil) -> (admission: DeskAdmission, session: SessionID) {
    let session = Session(profile: profile, settings: settings, cryptography: event.cryptography, key: key)
    let id = session.id
    let (admission, actions) = desk.admit(id, peer: peer, now: world.now)
    guard admission == .accept || admission == .acceptBusy else {
      line.abort(from: .kiosk)
      return (admission, id)
    }
    visits[id] = Visit(session, line)
    give(.start(isBusy: admission == .acceptBusy), to: id)
    line.receive(at: .kiosk) { [weak self] arrival in
      switch arrival {
      case .body(let body): self?.give(.received(body), to: id)
      case .finished: self?.give(.peerFinished, to: id)
      case .lost: self?.give(.peerLost, to: id)
      }
    }
    perform(actions)
    return (admission, id)
  }

  /// A key of the keypad.
  package func press(_ key: KeypadKey) {
    perform(desk.press(key, now: world.now))
  }

  /// Five keys.
  package func type(_ digits: [UInt8]) {
    for digit in digits {
      press(.digit(digit - 48))
    }
  }

  /// Every session is told to stop.
  package func stop() {
    for id in visits.keys { give(.stop, to: id) }
  }

  /// The process dies and starts again: only the ledger is left. What the ledger had not made durable is lost.
  package func crash() {
    epoch += 1
    for visit in visits.values {
      visit.timers.values.forEach { $0.cancel() }
      visit.line.abort(from: .kiosk)
    }
    deskTimers.values.forEach { $0.cancel() }
    (visits, deskTimers, livePINs, held) = ([:], [:], [:], [])
    desk = Desk(
      profile: profile, settings: deskSettings, sessionSettings: settings, failures: ledger.failures,
      cryptography: event.cryptography, now: world.now)
    show(desk.view)
  }

  /// Hands out the answers that were held back.
  package func release() {
    isHolding = false
    let answers = held
    held = []
    answers.forEach { $0() }
  }

  /// Hands an input to a session, as the shell would.
  package func give(_ input: KioskInput, to id: SessionID) {
    guard let visit = visits[id] else { return }
    switch input {
    case .desk(.digitsTyped), .evidenceJudged(true): visit.hasActed = true
    default: break
    }
    for action in visit.session.handle(input, now: world.now) {
      if keepsActions { actions.append((id, action)) }
      if case .admit = action, !visit.hasActed { world.violate("R25: admitted without a person's act") }
      perform(action, of: visit, id)
    }
    if visit.session.isEnded != (visits[id] == nil) { world.violate("a session ended without closing, or went on") }
  }

  private func perform(_ action: KioskAction, of visit: Visit, _ id: SessionID) {
    switch action {
    case .send(let body):
      visit.line.send(body, from: .kiosk)
    case .judgeToken(let token):
      let verdict = event.judge(token, revoked: revoked)
      answer(.tokenJudged(verdict), id, after: latencies.judging())
    case .judgeEvidence(let evidence, _, _):
      answer(.evidenceJudged(evidence == convincing), id, after: latencies.judging())
    case .consultLedger(let attendee, let token, let request):
      ask(id) { .standing($0.standing(ofAttendee: attendee, token: token, request: request)) }
    case .admit(let entry): ask(id) { .stored($0.admit(entry)) }
    case .refuse(let entry, let answer): ask(id) { .stored($0.refuse(entry, answer)) }
    case .recordFailure(let failure):
      ask(id) {
        $0.record(failure)
        return .failureRecorded
      }
    case .desk(let request):
      switch request {
      case .consumePIN, .leave, .closed: livePINs[id] = nil
      default: break
      }
      perform(desk.handle(request, from: id, now: world.now))
    case .startTimer(let timer, let duration):
      visit.timers[timer]?.cancel()
      visit.timers[timer] = world.after(duration) { [weak self] in self?.give(.timerFired(timer), to: id) }
    case .stopTimer(let timer):
      visit.timers.removeValue(forKey: timer)?.cancel()
    case .report(let event):
      report(event)
    case .close, .abort:
      visit.timers.values.forEach { $0.cancel() }
      visits[id] = nil
      if case .close = action { visit.line.close(from: .kiosk) } else { visit.line.abort(from: .kiosk) }
    }
  }

  private func perform(_ actions: [DeskAction]) {
    for action in actions {
      switch action {
      case .deliver(let note, let id):
        check(note, id)
        let epoch = epoch
        world.after(.zero) { [weak self] in
          guard let self, self.epoch == epoch else { return }
          give(.desk(note), to: id)
        }
      case .show(let view):
        show(view)
      case .startTimer(let timer, let duration):
        deskTimers[timer]?.cancel()
        deskTimers[timer] = world.after(duration) { [weak self] in
          guard let self else { return }
          perform(desk.timerFired(timer, now: world.now))
        }
      case .stopTimer(let timer):
        deskTimers.removeValue(forKey: timer)?.cancel()
      case .report(let event):
        report(event)
      }
    }
  }

  /// The rules about PINs that only the whole kiosk can see.
  private func check(_ note: DeskNote, _ id: SessionID) {
    switch note {
    case .pinIssued(let pin):
      if livePINs.contains(where: { $0.key != id && $0.value.matches(pin) }) {
        world.violate("R6: two live PINs equal")
      }
      livePINs[id] = pin
    case .superseded, .turnedAway:
      livePINs[id] = nil
    case .digitsTyped:
      if case .greeting(let greeting) = desk.view, greeting.session == id { break }
      world.violate("R6: digits went to a session that is not on the screen")
    default: break
    }
  }

  private func ask(_ id: SessionID, _ question: @escaping (SimulationLedger) -> KioskInput) {
    let epoch = epoch
    world.after(latencies.storing()) { [weak self] in
      guard let self, self.epoch == epoch else { return }
      let input = ledger.isBroken ? .ledgerFailed : question(ledger)
      answer(input, id, after: latencies.answering())
    }
  }

  private func answer(_ input: KioskInput, _ id: SessionID, after delay: Duration) {
    let epoch = epoch
    world.after(delay) { [weak self] in
      guard let self, self.epoch == epoch else { return }
      if isHolding {
        held.append { [weak self] in self?.give(input, to: id) }
      } else {
        give(input, to: id)
      }
    }
  }

  private func report(_ event: KioskEvent) {
    events.append(event)
    observer?(event)
  }

  private func show(_ view: KioskView) {
    views.append(view)
    display?(view)
  }
}
