internal import CheckInCore
internal import EnrollmentCore
internal import TestSupport
internal import Testing

/// One connection, both ends of it as state machines.
@Suite struct ServerSessionTests {
  static let now = Moment(wall: WallTime(secondsSince1970: 1_800_000_000), monotonic: MonotonicTime(sinceStart: .zero))

  /// A server's session and a client's link, joined.
  final class Pair {
    var server: EnrollmentServerSession<FakeCryptography, FakeSigningKey>
    var link: EnrollmentLink<FakeCryptography, FakeSigningKey>
    var actions: [EnrollmentServerAction] = []

    init(
      peer: EnrollmentPeer = .installation, binding: ([UInt8], [UInt8]) = ([1], [1]), serverKey: String = "server",
      clientKey: String = "client"
    ) {
      server = EnrollmentServerSession(
        name: "Enrollment", peer: peer, peerKey: FakeSigningKey("client").publicKey, channelBinding: binding.0,
        cryptography: FakeCryptography(seed: 1), key: FakeSigningKey("server"))
      link = EnrollmentLink(
        client: Bytes16([UInt8](repeating: 3, count: 16))!, serverKey: FakeSigningKey(serverKey).publicKey,
        channelBinding: binding.1, cryptography: FakeCryptography(seed: 2), key: FakeSigningKey(clientKey))
      put(.start)
    }

    func put(_ input: EnrollmentServerInput) { actions = server.handle(input, now: ServerSessionTests.now) }

    var sent: [UInt8]? { actions.compactMap { if case .send(let body) = $0 { body } else { nil } }.last }
    var order: EnrollmentOrder? { actions.compactMap { if case .perform(let order) = $0 { order } else { nil } }.last }
    var end: SessionEnd? {
      actions.compactMap { if case .report(.ended(let how)) = $0 { how } else { nil } }.last
    }

    func open() throws { put(.received(try link.open(hello: #require(sent), now: ServerSessionTests.now.wall))) }

    func ask(_ request: EnrollmentRequest) throws { put(.received(try link.seal(request))) }

    func answer() throws -> EnrollmentAnswer? {
      guard let sent, case .answer(let answer) = try link.open(sent) else { return nil }
      return answer
    }
  }

  @Test("Hello, opening, requests and answers in turn, goodbye")
  func story() throws {
    let pair = Pair()
    try pair.open()
    #expect(pair.link.serviceName == "Enrollment")
    try pair.ask(.sendCode(phone: "+46701234567"))
    let order = try #require(pair.order)
    #expect(order.peer == .installation && !order.isLoggedIn)
    pair.put(.answered(EnrollmentAnswer(.done)))
    #expect(try pair.answer()?.result == .done)
    try pair.ask(.fetchContainer(url: "enroll:/container/0"))
    #expect(pair.order?.client == order.client)
    pair.put(.answered(EnrollmentAnswer(.gone)))
    #expect(try pair.answer()?.result == .gone)
    pair.put(.received(try pair.link.sealGoodbye()))
    #expect(pair.end == .finished && pair.server.isEnded)
    guard case .goodbye = try pair.link.open(#require(pair.sent)) else { throw RigFailure(outcome: "no goodbye") }
  }

  @Test("A right log-in counts for the session, a wrong one takes it away")
  func loggedIn() throws {
    let pair = Pair(peer: .personal(account: "p", serial: [1]))
    try pair.open()
    for (result, isIn) in [(EnrollmentResult.wrongPIN, false), (.done, true), (.wrongPIN, false)] {
      try pair.ask(.logIn(token: SecretBytes([UInt8](repeating: 1, count: 16))))
      pair.put(.answered(EnrollmentAnswer(result)))
      _ = try pair.answer()
      try pair.ask(.status)
      #expect(pair.order?.isLoggedIn == isIn)
      pair.put(.answered(EnrollmentAnswer(.done, status: .done)))
      _ = try pair.answer()
    }
  }

  @Test("Another key, another channel, a repeated, foreign or changed message ends the session")
  func security() throws {
    // The client has another key than its certificate.
    var pair = Pair(clientKey: "mallory")
    try pair.open()
    #expect(pair.end == .fault(.notAuthentic))
    // The two ends are not on the same connection.
    pair = Pair(binding: ([1], [2]))
    #expect(throws: EnrollmentLinkError.self) { try pair.open() }
    // The server has another key than its certificate.
    pair = Pair(serverKey: "mallory")
    #expect(throws: EnrollmentLinkError.self) { try pair.open() }
    pair = Pair()
    try pair.open()
    let request = try pair.link.seal(.sendCode(phone: "+46701234567"))
    pair.put(.received(request))
    pair.put(.answered(EnrollmentAnswer(.done)))
    let answer = try #require(pair.sent)
    pair.put(.received(request))
    #expect(pair.end == .fault(.notAuthentic), "repeated")
    #expect(throws: EnrollmentLinkError.self) { try pair.link.open(request) }
    _ = try pair.link.open(answer)
    #expect(throws: EnrollmentLinkError.self) { try pair.link.open(answer) }
    pair = Pair()
    try pair.open()
    var changed = try pair.link.seal(.sendCode(phone: "+46701234567"))
    changed[changed.count - 1] ^= 1
    pair.put(.received(changed))
    #expect(pair.end == .fault(.notAuthentic))
    for garbage in [[], [0], [UInt8](repeating: 0xff, count: 100)] as [[UInt8]] {
      pair = Pair()
      pair.put(.received(garbage))
      #expect(pair.end == .fault(.malformed))
    }
  }

  @Test("A message of a check-in is worth nothing here, though the same keys signed it")
  func crossProtocol() throws {
    let cryptography = FakeCryptography(seed: 9)
    let hello = Message.Hello(
      versions: [1], session: SessionID(Bytes16(random: cryptography)), nonce: Nonce(Bytes16(random: cryptography)),
      credential: [], authenticators: [], gate: "A", time: WallTime(secondsSince1970: 1))
    let handshake = try KioskHandshake(
      hello: hello, binding: [1], key: FakeSigningKey("server"), cryptography: cryptography)
    let pair = Pair()
    do throws(EnrollmentLinkError) {
      _ = try pair.link.open(hello: handshake.body, now: ServerSessionTests.now.wall)
      Issue.record("a kiosk's hello was believed")
    } catch {
      #expect(error.fault == .notAuthentic)
    }
  }

  @Test("Two requests at once are too many")
  func flood() throws {
    let pair = Pair()
    try pair.open()
    try pair.ask(.sendCode(phone: "+46701234567"))
    try pair.ask(.sendCode(phone: "+46701234567"))
    #expect(pair.end == .fault(.flood))
  }

  @Test("Silence ends the session; while it works it has time")
  func silence() throws {
    var pair = Pair()
    pair.put(.timerFired(.opening))
    #expect(pair.end == .timedOut("opening"))
    pair = Pair()
    try pair.open()
    try pair.ask(.sendCode(phone: "+46701234567"))
    pair.put(.timerFired(.idle))
    #expect(pair.actions.isEmpty)
    pair.put(.answered(EnrollmentAnswer(.done)))
    _ = try pair.answer()
    pair.put(.timerFired(.idle))
    guard case .goodbye = try pair.link.open(#require(pair.sent)) else { throw RigFailure(outcome: "no goodbye") }
    pair.put(.timerFired(.goodbye))
    #expect(pair.end == .timedOut("goodbye"))
  }

  @Test("Told to stop it gives the answer that it owes, and says goodbye")
  func stops() throws {
    var pair = Pair()
    pair.put(.stop)
    #expect(pair.end == .stopped)
    pair = Pair()
    try pair.open()
    try pair.ask(.sendCode(phone: "+46701234567"))
    pair.put(.stop)
    #expect(pair.actions.isEmpty)
    pair.put(.answered(EnrollmentAnswer(.done)))
    let sent = pair.actions.compactMap { if case .send(let body) = $0 { body } else { nil } }
    #expect(sent.count == 2)
    guard case .answer = try pair.link.open(sent[0]), case .goodbye = try pair.link.open(sent[1]) else {
      throw RigFailure(outcome: "not both")
    }
    pair.put(.received(try pair.link.sealGoodbye()))
    #expect(pair.end == .finished)
  }

  @Test("A peer that goes, is lost, or breaks the framing ends it")
  func goes() throws {
    for (input, how) in [
      (EnrollmentServerInput.peerFinished, SessionEnd.peerFinished), (.peerLost, .peerLost),
      (.framingFailed, .fault(.framing)),
    ] {
      let pair = Pair()
      try pair.open()
      pair.put(input)
      #expect(pair.end == how && pair.server.isEnded)
      pair.put(.peerLost)
      #expect(pair.actions.isEmpty)
    }
  }
}
