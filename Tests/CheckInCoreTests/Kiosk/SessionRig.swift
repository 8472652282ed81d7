internal import CheckInCore
internal import TestSupport
internal import Testing

/// One kiosk session by itself, fed by hand, for what a whole kiosk cannot bring about.
struct SessionRig: ~Copyable {
  let world = SimulationWorld(seed: 1)
  let event = SimulationEvent(cryptography: SimulationCryptography(seed: 5))
  var session: SimulationKiosk.Session
  let phone: ScriptedPhone
  private let line: SimulationLine

  var now: Moment { world.now }

  init() {
    let (profile, key) = event.kiosk("Hall A")
    session = SimulationKiosk.Session(profile: profile, cryptography: event.cryptography, key: key)
    line = SimulationLine(world: world)
    phone = ScriptedPhone(line, event.attendee("Ada"), event.cryptography)
  }

  /// Goes to the point at which the ledger is asked.
  mutating func reachDeciding() throws {
    forward(session.handle(.start(isBusy: false), now: now))
    let body = try phone.initialRequest(phone.hello(), request: KioskScene.request(1))
    _ = session.handle(.received(body), now: now)
    _ = session.handle(.tokenJudged(event.judge(phone.ticket.profile.token)), now: now)
  }

  /// Goes to the point at which the person is to confirm.
  mutating func reachConfirming(pin: String) throws {
    try reachDeciding()
    _ = session.handle(.standing(.fresh), now: now)
    forward(session.handle(.desk(.pinIssued(PIN(pin)!)), now: now))
    _ = try phone.readAll()
  }

  func forward(_ actions: [KioskAction]) {
    for case .send(let body) in actions { line.send(body, from: .kiosk) }
    world.settle()
  }
}

extension [KioskAction] {
  var refusals: [Reason] { compactMap { if case .refuse(_, let answer) = $0 { answer.reason } else { nil } } }
  var admissions: Int { count { if case .admit = $0 { true } else { false } } }
  var judgements: Int { count { if case .judgeEvidence = $0 { true } else { false } } }
  var failures: Int { count { if case .recordFailure = $0 { true } else { false } } }
  var ends: [SessionEnd] {
    compactMap { if case .report(.sessionEnded(_, let how)) = $0 { how } else { nil } }
  }
  var faults: [SessionFault] {
    compactMap { if case .report(.protocolError(_, let fault)) = $0 { fault } else { nil } }
  }
}
