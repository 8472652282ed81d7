internal import CheckInCore
internal import TestSupport
internal import Testing

/// The rules of security.md as far as a phone's session keeps them.
@Suite struct AttendeeSecurityTests {
  @Test("R8: the phone shows kiosk, event and gate before it sends its token")
  func shownFirst() throws {
    let kiosk = ScriptedKiosk()
    try kiosk.begin()
    let shown = try #require(
      kiosk.phone.actions.firstIndex {
        guard case .show(.kiosk(let identity)) = $0 else { return false }
        return identity.event == "SwiftConf" && identity.kiosk == "Hall A" && identity.gate == "North"
      })
    let sent = try #require(kiosk.phone.actions.firstIndex { if case .send = $0 { true } else { false } })
    #expect(shown < sent)
    #expect(kiosk.request?.token == kiosk.ticket.profile.token)
  }

  @Test("R8: a kiosk that is not what it must be does not get the token", arguments: KioskRefusal.allCases)
  func refusedKiosk(refusal: KioskRefusal) throws {
    let kiosk = ScriptedKiosk()
    let now = kiosk.world.now.wall
    func validity(_ from: Int64?, _ until: Int64?, gates: [String] = []) -> Validity {
      Validity(
        issuedAt: nil, validFrom: from.map { now.advanced(by: .seconds($0)) },
        validUntil: until.map { now.advanced(by: .seconds($0)) }, gates: gates)
    }
    var key: FakeSigningKey?
    var authenticators: [String]?
    switch refusal {
    case .malformedCredential:
      let profile = kiosk.identity.profile
      kiosk.identity.profile = KioskProfile(
        event: profile.event, kiosk: profile.kiosk, gate: profile.gate, credential: [1, 2, 3],
        authenticators: profile.authenticators)
    case .wrongIssuer: kiosk.identity = kiosk.event.kiosk("Hall A", signedBy: FakeSigningKey("another"))
    case .wrongRole: kiosk.identity = kiosk.event.kiosk("Hall A", role: .attendee)
    case .wrongEvent: kiosk.identity = kiosk.event.kiosk("Hall A", event: "other")
    case .wrongGate: kiosk.identity = kiosk.event.kiosk("Hall A", validity: validity(nil, nil, gates: ["South"]))
    case .notYetValid: kiosk.identity = kiosk.event.kiosk("Hall A", validity: validity(301, nil))
    case .expired: kiosk.identity = kiosk.event.kiosk("Hall A", validity: validity(nil, -300))
    case .badSignature: key = FakeSigningKey("mallory")
    case .noCommonAuthenticator: authenticators = ["face", "retina"]
    }
    try kiosk.hello(authenticators: authenticators, signedBy: key)
    #expect(kiosk.phone.outcome == .refusedKiosk(refusal))
    #expect(kiosk.phone.isEnded)
    #expect(kiosk.inbox.isEmpty)
    #expect(kiosk.phone.events.first == .kioskRefused(refusal))
  }

  @Test("R8, R21: a kiosk's credential within five minutes of its times is accepted")
  func leeway() throws {
    let kiosk = ScriptedKiosk()
    let now = kiosk.world.now.wall
    kiosk.identity = kiosk.event.kiosk(
      "Hall A",
      validity: Validity(
        issuedAt: nil, validFrom: now.advanced(by: .seconds(300)), validUntil: now.advanced(by: .seconds(301)),
        gates: []))
    try kiosk.begin()
    #expect(kiosk.request != nil)
  }

  @Test("R10: no version in common: the token stays")
  func versions() throws {
    let kiosk = ScriptedKiosk()
    try kiosk.hello(versions: [2, 3])
    #expect(kiosk.phone.outcome == .protocolError(.wrongVersion))
    #expect(kiosk.inbox.isEmpty)
    let both = ScriptedKiosk()
    try both.hello(versions: [2, 1])
    #expect(both.inbox.count == 1)
  }

  @Test("R12: each session has a fresh nonce, and each attempt a fresh identifier unless it is a retry")
  func fresh() throws {
    let first = ScriptedKiosk()
    try first.begin()
    let line = SimulationLine(world: first.world)
    let second = SimulationPhone(
      world: first.world, line: line, profile: first.ticket.profile, key: first.ticket.key,
      cryptography: first.event.cryptography)
    let retry = SimulationPhone(
      world: first.world, line: line, profile: first.ticket.profile, key: first.ticket.key,
      cryptography: first.event.cryptography, request: first.phone.request)
    #expect(second.request != first.phone.request)
    #expect(retry.request == first.phone.request)
  }

  @Test("R17: an answer to another request means nothing", arguments: [0, 1])
  func otherRequest(step: Int) throws {
    let kiosk = ScriptedKiosk()
    try kiosk.begin()
    if step == 1 { try kiosk.sayPIN("12345") }
    let other = RequestID(Bytes16([UInt8](repeating: 3, count: 16))!)
    try kiosk.sayResult(Answer(.admitted, admittedAt: kiosk.world.now.wall, gate: "North"), request: other)
    #expect(kiosk.phone.outcome == .protocolError(.wrongRequest))
    #expect(kiosk.end != nil)
  }

  @Test("R17: an old true, recorded in another session of the same request, means nothing")
  func oldTrue() throws {
    let first = ScriptedKiosk()
    try first.begin()
    let recorded = try first.seal(
      .result(
        .init(
          request: first.phone.request,
          answer: Answer(.admitted, admittedAt: first.world.now.wall, gate: "North"))))
    let second = ScriptedKiosk(request: first.phone.request)
    _ = second.event.cryptography.randomBytes(99)
    try second.begin()
    second.send(recorded)
    #expect(second.phone.outcome == .protocolError(.notAuthentic))
  }

  @Test(
    "R11: a doubled, reordered, reflected, truncated, changed or foreign message ends the session with its fault",
    arguments: ["doubled", "reordered", "reflected", "truncated", "changed", "garbage", "hello again", "no frame"])
  func faults(kind: String) throws {
    let kiosk = ScriptedKiosk()
    kiosk.phone.person = { _ in .confirmed(evidence: [1]) }
    try kiosk.beginWithPIN()
    var expected = SessionFault.notAuthentic
    switch kind {
    case "doubled":
      let body = try kiosk.seal(.notice(.onScreen))
      kiosk.send(body)
      kiosk.send(body)
    case "reordered":
      _ = try kiosk.seal(.notice(.onScreen))
      try kiosk.sayResult(Answer(.revoked))
    case "reflected":
      kiosk.send(try #require(kiosk.takeBody()))
    case "truncated":
      kiosk.send(Array(try kiosk.seal(.goodbye).dropLast()))
      expected = .malformed
    case "changed":
      var body = try kiosk.seal(.goodbye)
      body[body.count - 1] ^= 1
      kiosk.send(body)
    case "garbage":
      kiosk.send([0xde, 0xad])
      expected = .malformed
    case "no frame":
      kiosk.phone.give(.framingFailed)
      expected = .framing
    default:
      try kiosk.hello()
    }
    #expect(kiosk.phone.outcome == .protocolError(expected))
    #expect(kiosk.phone.events.contains(.protocolError(expected)))
    #expect(kiosk.phone.isEnded)
  }

  @Test("R11: a notice before the PIN, and words after the answer, are out of place; the answer stands")
  func outOfPlace() throws {
    let early = ScriptedKiosk()
    try early.begin()
    try early.say(.notice(.onScreen))
    #expect(early.phone.outcome == .protocolError(.unexpectedMessage))
    let late = ScriptedKiosk()
    try late.begin()
    try late.sayResult(Answer(.revoked))
    try late.say(.notice(.onScreen))
    #expect(late.phone.outcome == .answered(Answer(.revoked)))
    #expect(late.phone.events.contains(.protocolError(.unexpectedMessage)))
    #expect(late.phone.isEnded)
  }

  @Test("R13, R16: no event has the PIN or the token in it")
  func events() throws {
    let kiosk = ScriptedKiosk()
    kiosk.phone.person = { _ in .useKeypad(.declined) }
    try kiosk.beginWithPIN("48151")
    try kiosk.say(.notice(.wrongPIN(attemptsLeft: 2)))
    try kiosk.sayPIN("62342", attemptsLeft: 2)
    try kiosk.sayResult(Answer(.pinExpired))
    #expect(kiosk.phone.events.count >= 6)
    for event in kiosk.phone.events {
      #expect(!"\(event)".contains("48151") && !"\(event)".contains("62342"))
    }
  }
}
