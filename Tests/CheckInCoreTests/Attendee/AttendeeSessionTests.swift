internal import CheckInCore
internal import TestSupport
internal import Testing

/// What a person with a phone lives through.
@Suite struct AttendeeSessionTests {
  private let admitted = Answer(.admitted, admittedAt: WallTime(secondsSince1970: 1_800_000_000), gate: "North")

  @Test("Confirmed on the phone: the kiosk gets PIN and evidence, the phone its answer, and both say goodbye")
  func biometric() throws {
    let kiosk = ScriptedKiosk()
    kiosk.phone.person = { _ in .confirmed(evidence: [7, 7]) }
    try kiosk.beginWithPIN()
    let request = try #require(try kiosk.confirmation())
    #expect(request.request == kiosk.phone.request)
    #expect(request.pin.matches(PIN("12345")!))
    #expect(request.authenticator == "mock-biometric")
    #expect(request.evidence == [7, 7])
    try kiosk.sayResult(admitted)
    #expect(kiosk.phone.outcome == .answered(admitted))
    #expect(try kiosk.readAll().map(\.kind) == ["goodbye"])
    try kiosk.say(.goodbye)
    #expect(kiosk.phone.isEnded)
    #expect(kiosk.phone.events.last == .sessionEnded(how: .finished))
    #expect(
      kiosk.phone.events.map(\.name) == [
        "kiosk", "initial_request", "pin_received", "confirmed", "result", "session_ended",
      ])
  }

  @Test("The prover is asked with what the hello said, and the transcript that the kiosk has too")
  func context() throws {
    let kiosk = ScriptedKiosk()
    try kiosk.beginWithPIN()
    let context = try #require(kiosk.phone.contexts.first)
    #expect(context.event == "SwiftConf")
    #expect(context.kiosk == "Hall A")
    #expect(context.gate == "North")
    #expect(context.request == kiosk.phone.request)
    #expect(context.transcript == kiosk.conversation.transcript)
    #expect(context.attendee == nil, "the phone was not told")
  }

  @Test("The prover is told for whom, where the phone knows it")
  func contextNames() throws {
    let kiosk = ScriptedKiosk(name: "Ada Lovelace")
    try kiosk.beginWithPIN()
    #expect(kiosk.phone.contexts.map(\.attendee) == ["Ada Lovelace"])
  }

  @Test(
    "R15: declined, failed, unavailable or locked out: the PIN is shown for the keypad",
    arguments: [.declined, .failed, .unavailable, .lockedOut, .chosen] as [CheckInCore.Confirmation.KeypadCause])
  func keypad(cause: CheckInCore.Confirmation.KeypadCause) throws {
    let kiosk = ScriptedKiosk()
    kiosk.phone.person = { _ in .useKeypad(cause) }
    try kiosk.beginWithPIN("00420")
    #expect(kiosk.shownDigits == "00420")
    #expect(kiosk.phone.events.contains(.keypad(cause)))
    #expect(try kiosk.readAll().isEmpty)
    try kiosk.say(.notice(.onScreen))
    try kiosk.sayResult(admitted)
    #expect(kiosk.phone.outcome == .answered(admitted))
    #expect(kiosk.shownDigits == nil)
  }

  @Test("R15: where the kiosk has no keypad, a phone that cannot confirm says why and takes the request back")
  func noKeypad() throws {
    let kiosk = ScriptedKiosk(authenticators: [.biometric])
    kiosk.phone.person = { _ in .useKeypad(.lockedOut) }
    try kiosk.beginWithPIN()
    #expect(try kiosk.readAll().map(\.kind) == ["cancel"])
    #expect(kiosk.phone.views.contains { if case .noKeypad(.lockedOut) = $0 { true } else { false } })
    #expect(kiosk.shownDigits == nil)
    try kiosk.sayResult(Answer(.cancelled))
    #expect(kiosk.phone.outcome == .answered(Answer(.cancelled)))
  }

  @Test("R15: evidence that the kiosk refuses leads to the keypad, and without one to another try, until none is left")
  func refusedEvidence() throws {
    let kiosk = ScriptedKiosk()
    kiosk.phone.person = { _ in .confirmed(evidence: [1]) }
    try kiosk.beginWithPIN()
    try kiosk.say(.notice(.confirmationFailed(attemptsLeft: 4)))
    #expect(kiosk.shownDigits == "12345")
    let bare = ScriptedKiosk(authenticators: [.biometric])
    bare.phone.person = { _ in .confirmed(evidence: [1]) }
    try bare.beginWithPIN()
    for left in [4, 3, 2, 1, 0] as [UInt64] { try bare.say(.notice(.confirmationFailed(attemptsLeft: left))) }
    #expect(bare.phone.contexts.count == 5)
    #expect(try bare.readAll().count == 5)
  }

  @Test(
    "R14: the phone uses only what is offered, in the kiosk's order",
    arguments: [
      (["mock-biometric", "pin"], ["pin", "mock-biometric"], "mock-biometric"),
      (["pin", "mock-biometric"], ["pin", "mock-biometric"], "pin"),
      (["face", "mock-biometric"], ["mock-biometric"], "mock-biometric"),
      (["pin"], ["mock-biometric"], nil),
    ] as [([String], [String], String?)])
  func choice(offered: [String], phone: [String], chosen: String?) throws {
    let kiosk = ScriptedKiosk(
      authenticators: offered.map { .init(name: $0, place: $0 == "pin" ? .keypad : .phone) }, phone: phone)
    try kiosk.beginWithPIN()
    let asked = kiosk.phone.actions.compactMap { if case .askConfirmation(let name, _) = $0 { name } else { nil } }
    #expect(asked == (chosen.map { [$0] } ?? []))
    if chosen == nil { #expect(kiosk.shownDigits == "12345") }
  }

  @Test("A new PIN replaces the old: on the screen, in a confirmation that is out, and in one to come")
  func replacedPIN() throws {
    let typing = ScriptedKiosk()
    typing.phone.person = { _ in .useKeypad(.declined) }
    try typing.beginWithPIN()
    try typing.sayPIN("54321")
    #expect(typing.shownDigits == "54321")
    let sent = ScriptedKiosk()
    sent.phone.person = { _ in .confirmed(evidence: [1]) }
    try sent.beginWithPIN()
    #expect(try sent.confirmation()?.pin.matches(PIN("12345")!) == true)
    try sent.sayPIN("54321")
    #expect(try sent.confirmation()?.pin.matches(PIN("54321")!) == true)
    let asking = ScriptedKiosk()
    try asking.beginWithPIN()
    try asking.sayPIN("54321")
    asking.phone.give(.confirmation(.confirmed(evidence: [1])))
    asking.world.settle()
    #expect(try asking.confirmation()?.pin.matches(PIN("54321")!) == true)
  }

  @Test("An answer that comes while the person is asked ends the question, and a late confirmation changes nothing")
  func answerWhileAsking() throws {
    let kiosk = ScriptedKiosk()
    try kiosk.beginWithPIN()
    #expect(kiosk.phone.isAsking)
    try kiosk.sayResult(admitted)
    #expect(!kiosk.phone.isAsking)
    kiosk.phone.give(.confirmation(.confirmed(evidence: [1])))
    kiosk.world.settle()
    #expect(try kiosk.readAll().map(\.kind) == ["goodbye"])
  }

  @Test("Whoever gives up hears from the kiosk what came of it, even if that is an admission")
  func cancel() throws {
    let kiosk = ScriptedKiosk()
    try kiosk.beginWithPIN()
    kiosk.phone.give(.cancel)
    kiosk.world.settle()
    #expect(try kiosk.readAll().map(\.kind) == ["cancel"])
    try kiosk.sayResult(admitted)
    #expect(kiosk.phone.outcome == .answered(admitted))
  }

  @Test("Giving up before the hello, twice, or without an answer ends the attempt as cancelled", arguments: 0..<4)
  func cancelled(way: Int) throws {
    let kiosk = ScriptedKiosk()
    switch way {
    case 0: kiosk.phone.give(.cancel)
    case 1:
      try kiosk.begin()
      kiosk.phone.give(.cancel)
      kiosk.phone.give(.cancel)
    case 2:
      try kiosk.beginWithPIN()
      kiosk.phone.person = nil
      kiosk.phone.give(.confirmation(.cancelled))
      kiosk.world.advance(by: .seconds(15))
    default:
      try kiosk.begin()
      kiosk.phone.give(.cancel)
      kiosk.line.close(from: .kiosk)
      kiosk.world.settle()
    }
    #expect(kiosk.phone.outcome == .cancelled)
    #expect(kiosk.phone.isEnded)
  }

  @Test("Every wait ends: for the hello, the first answer, the person, the answer to a confirmation, the goodbye")
  func timeouts() throws {
    let mute = ScriptedKiosk()
    mute.world.advance(by: .milliseconds(9999))
    #expect(mute.phone.outcome == nil)
    mute.world.advance(by: .milliseconds(1))
    #expect(mute.phone.outcome == .noAnswer(.noHello))
    let silent = ScriptedKiosk()
    try silent.begin()
    silent.world.advance(by: .seconds(15))
    #expect(silent.phone.outcome == .noAnswer(.silence))
    let slow = ScriptedKiosk()
    try slow.beginWithPIN()
    slow.world.advance(by: .seconds(100))
    try slow.say(.notice(.waiting(ahead: 3)))
    slow.world.advance(by: .seconds(179))
    #expect(try slow.readAll().isEmpty)
    slow.world.advance(by: .seconds(1))
    #expect(try slow.readAll().map(\.kind) == ["cancel"])
    slow.world.advance(by: .seconds(15))
    #expect(slow.phone.outcome == .noAnswer(.personTimedOut))
    let deaf = ScriptedKiosk()
    deaf.phone.person = { _ in .confirmed(evidence: [1]) }
    try deaf.beginWithPIN()
    deaf.world.advance(by: .seconds(15))
    #expect(deaf.phone.outcome == .noAnswer(.timedOut))
    let rude = ScriptedKiosk()
    try rude.begin()
    try rude.sayResult(Answer(.revoked))
    rude.world.advance(by: .seconds(2))
    #expect(rude.phone.isEnded)
    for kiosk in [mute, silent, slow, deaf, rude] {
      #expect(kiosk.phone.isEnded && kiosk.end != nil)
      #expect(kiosk.world.violations.isEmpty)
    }
  }

  @Test("Lost, finished or goodbye without an answer: the phone says which, and whether to try again")
  func endings() throws {
    func outcome(_ end: (ScriptedKiosk) throws -> Void) throws -> AttendeeOutcome? {
      let kiosk = ScriptedKiosk()
      try end(kiosk)
      kiosk.world.settle()
      #expect(!kiosk.phone.isAsking)
      return kiosk.phone.outcome
    }
    #expect(try outcome { $0.line.close(from: .kiosk) } == .noAnswer(.peerFinished))
    #expect(try outcome { $0.line.abort(from: .kiosk) } == .noAnswer(.peerLost))
    #expect(
      try outcome {
        try $0.begin(); $0.world.advance(by: .seconds(4)); $0.line.close(from: .kiosk)
      } == .noAnswer(.silence))
    #expect(
      try outcome {
        try $0.begin(); $0.world.advance(by: .milliseconds(3999)); $0.line.close(from: .kiosk)
      } == .noAnswer(.peerFinished))
    #expect(
      try outcome {
        try $0.begin(); $0.line.abort(from: .kiosk)
      } == .noAnswer(.peerLost))
    #expect(
      try outcome {
        try $0.beginWithPIN(); $0.line.close(from: .kiosk)
      } == .noAnswer(.peerFinished))
    #expect(
      try outcome {
        try $0.beginWithPIN(); try $0.say(.goodbye)
      } == .noAnswer(.peerFinished))
    #expect(AttendeeOutcome.noAnswer(.peerLost).isRetryable)
    #expect(AttendeeOutcome.answered(Answer(.busy)).isRetryable)
    #expect(!AttendeeOutcome.noAnswer(.silence).isRetryable)
    #expect(!AttendeeOutcome.answered(Answer(.cancelled)).isRetryable)
  }

  @Test("A second start, and anything before the start, are programming errors")
  func misuse() async {
    await #expect(processExitsWith: .failure) {
      var session = AttendeeSession(
        profile: AttendeeProfile(token: [], issuer: FakeSigningKey("i").publicKey, event: "", authenticators: []),
        cryptography: FakeCryptography(), key: FakeSigningKey("a"))
      let now = Moment(wall: WallTime(secondsSince1970: 0), monotonic: MonotonicTime(sinceStart: .zero))
      _ = session.handle(.start, now: now)
      _ = session.handle(.start, now: now)
    }
    await #expect(processExitsWith: .failure) {
      var session = AttendeeSession(
        profile: AttendeeProfile(token: [], issuer: FakeSigningKey("i").publicKey, event: "", authenticators: []),
        cryptography: FakeCryptography(), key: FakeSigningKey("a"))
      let now = Moment(wall: WallTime(secondsSince1970: 0), monotonic: MonotonicTime(sinceStart: .zero))
      _ = session.handle(.cancel, now: now)
    }
  }
}
