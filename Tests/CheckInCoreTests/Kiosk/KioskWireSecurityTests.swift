internal import CheckInCore
internal import TestSupport
internal import Testing

/// The rules of security.md about what comes over the air, as far as a kiosk's session keeps them.
@Suite struct KioskWireSecurityTests {
  @Test("R8, R12: the hello names kiosk, gate and authenticators, with a session and nonce that are fresh each time")
  func hello() throws {
    let scene = KioskScene()
    let first = try scene.connect("Ada").hello().hello
    let second = try scene.connect("Ada").hello().hello
    #expect(first.versions == [1])
    #expect(first.gate == "North")
    #expect(first.authenticators == ["mock-biometric", "pin"])
    #expect(first.credential == scene.kiosk.profile.credential)
    #expect(first.session != second.session)
    #expect(first.nonce != second.nonce)
  }

  @Test(
    "R9: a recorded initial request is worth nothing: at this kiosk, at another, after a restart",
    arguments: ["again", "other", "restart"])
  func recordedRequest(where place: String) throws {
    let scene = KioskScene()
    let ada = scene.connect("Ada")
    let body = try ada.initialRequest(ada.hello())
    ada.send(body)
    scene.world.settle()
    if place == "restart" { scene.kiosk.crash() }
    let target = place == "other" ? KioskScene(seed: 99) : scene
    let mallory = target.connect("Mallory")
    _ = try mallory.hello()
    let before = target.kiosk.events.count
    mallory.send(body)
    target.world.settle()
    #expect(mallory.inbox.isEmpty)
    guard case .invalidToken(_, _, .badSignature)? = target.kiosk.events.dropFirst(before).first else {
      Issue.record("not seen as badly signed")
      return
    }
  }

  @Test("R9: a genuine ticket in a request that another key signed is nobody's")
  func stolenTicket() throws {
    let scene = KioskScene()
    let mallory = scene.connect("Mallory")
    let ada = scene.event.attendee("Ada")
    mallory.send(try mallory.initialRequest(mallory.hello(), token: ada.profile.token))
    scene.world.settle()
    #expect(mallory.inbox.isEmpty)
    #expect(scene.ledger.entries.isEmpty)
    #expect(scene.isWelcome)
  }

  @Test("R10: a version that was not offered ends in silence")
  func otherVersion() throws {
    let scene = KioskScene()
    let ada = scene.connect("Ada")
    ada.send(try ada.initialRequest(ada.hello(), version: 2))
    scene.world.settle()
    #expect(ada.inbox.isEmpty)
    scene.world.advance(by: .seconds(5))
    #expect(scene.ends == [.fault(.wrongVersion)])
  }

  @Test(
    "R11: a doubled, reordered, reflected, truncated, changed or foreign message ends the session with its fault",
    arguments: ["doubled", "reordered", "reflected", "truncated", "changed", "foreign", "garbage", "presented twice"])
  func faults(kind: String) throws {
    let scene = KioskScene()
    let ada = scene.connect("Ada")
    let request = try ada.initialRequest(ada.hello())
    ada.send(request)
    scene.world.settle()
    let reflected = try #require(ada.inbox.first)
    _ = try ada.readAll()
    var expected = SessionFault.notAuthentic
    switch kind {
    case "doubled":
      let body = try ada.seal(
        .checkInRequest(
          .init(request: ada.request, pin: ada.pin!, authenticator: "mock-biometric", evidence: [1])))
      ada.send(body)
      scene.world.settle()
      ada.send(body)
    case "reordered":
      _ = try ada.seal(.cancel)
      ada.send(try ada.seal(.goodbye))
    case "reflected":
      ada.send(reflected)
    case "truncated":
      ada.send(Array(try ada.seal(.cancel).dropLast()))
      expected = .malformed
    case "changed":
      var body = try ada.seal(.cancel)
      body[body.count - 1] ^= 1
      ada.send(body)
    case "foreign":
      let other = scene.connect("Ada", serial: "2")
      try other.present()
      scene.world.settle()
      ada.send(try other.seal(.cancel))
    case "garbage":
      ada.send([0xde, 0xad])
      expected = .malformed
    default:
      ada.send(request)
    }
    scene.world.settle()
    #expect(ada.isClosed)
    #expect(scene.ends == [.fault(expected)])
    #expect(scene.kiosk.events.contains { $0.name == "protocol_error" })
    #expect(scene.ledger.admissions.isEmpty)
  }

  @Test("R11: a request that names another attempt ends the session")
  func wrongRequest() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    try ada.confirm(request: KioskScene.request(7))
    scene.world.settle()
    #expect(scene.ends == [.fault(.wrongRequest)])
    #expect(scene.isWelcome)
  }

  @Test("R11: a confirmation before there is a PIN ends the session")
  func confirmationTooEarly() throws {
    let scene = KioskScene()
    let ada = scene.connect("Ada")
    scene.kiosk.isHolding = true
    try ada.present()
    try ada.confirm(pin: PIN("12345"))
    scene.world.settle()
    scene.kiosk.release()
    scene.world.settle()
    #expect(scene.ends == [.fault(.unexpectedMessage)])
    #expect(scene.kiosk.openSessions == 0)
  }

  @Test("R11: bytes that are no frame end the session, and an answer that is being stored is stored all the same")
  func framing() throws {
    let scene = KioskScene()
    let line = SimulationLine(world: scene.world)
    let ada = ScriptedPhone(line, scene.event.attendee("Ada"), scene.event.cryptography)
    let id = scene.kiosk.accept(line).session
    scene.world.settle()
    try ada.present()
    scene.world.settle()
    _ = try ada.readAll()
    scene.kiosk.isHolding = true
    scene.type(try #require(ada.pin))
    scene.kiosk.give(.framingFailed, to: id)
    scene.kiosk.release()
    scene.world.settle()
    #expect(scene.ends == [.fault(.framing)])
    #expect(scene.ledger.admissions["attendee-Ada"] != nil)
    #expect(ada.inbox.isEmpty)
  }

  @Test("R16: every kind of invalid first message gets silence and the same end, five seconds after it came")
  func silence() throws {
    let other = FakeSigningKey("another issuer")
    let kinds: [(String, (KioskScene, ScriptedPhone) throws -> [UInt8])] = [
      ("unknown", { try $1.initialRequest($1.hello(), token: [1, 2, 3]) }),
      (
        "forged",
        { scene, phone in
          try phone.initialRequest(phone.hello(), token: scene.event.attendee("Ada", signedBy: other).profile.token)
        }
      ),
      (
        "malformed",
        { scene, phone in
          try phone.initialRequest(
            phone.hello(), token: Array(scene.event.attendee("Ada").profile.token.dropLast()))
        }
      ),
      ("bad signature", { try $1.initialRequest($1.hello(), signedBy: FakeSigningKey("mallory")) }),
      (
        "a kiosk's credential",
        { scene, phone in
          try phone.initialRequest(phone.hello(), token: scene.kiosk.profile.credential)
        }
      ),
      ("garbage", { _, _ in [0xff, 0x00] }),
      ("nothing", { _, _ in [] }),
      ("truncated", { Array(try $1.initialRequest($1.hello()).dropLast()) }),
      ("the hello sent back", { try #require($1.takeBody()) }),
    ]
    for (kind, make) in kinds {
      for judging in [Duration.zero, .milliseconds(900)] {
        let scene = KioskScene()
        scene.kiosk.latencies.judging = { judging }
        let phone = scene.connect("Ada")
        scene.world.advance(by: .seconds(3))
        let body = try make(scene, phone)
        phone.send(body)
        phone.send(body)
        scene.world.advance(by: .milliseconds(4999))
        #expect(!phone.isClosed, "\(kind)")
        scene.world.advance(by: .milliseconds(1))
        #expect(phone.isClosed, "\(kind)")
        #expect(phone.line.recorded.count { $0.side == .kiosk } == 1, "\(kind)")
        #expect(scene.ledger.entries.isEmpty, "\(kind)")
        #expect(scene.kiosk.events.count == 2, "\(kind)")
      }
    }
  }

  @Test("R16: a verifier that takes too long changes nothing about the end")
  func slowVerifier() throws {
    let scene = KioskScene()
    scene.kiosk.latencies.judging = { .seconds(20) }
    let ada = scene.connect("Ada")
    try ada.present()
    scene.world.advance(by: .seconds(5))
    #expect(ada.isClosed)
    scene.world.advance(by: .seconds(60))
    #expect(scene.ledger.entries.isEmpty)
  }

  @Test("R19: a connection that says nothing ends after ten seconds")
  func halfOpen() {
    let scene = KioskScene()
    let phone = scene.connect("Ada")
    scene.world.advance(by: .milliseconds(9999))
    #expect(!phone.isClosed)
    scene.world.advance(by: .milliseconds(1))
    #expect(phone.isClosed)
    #expect(scene.ends == [.timedOut("initial_request")])
  }

  @Test("R19: a phone that has presented itself is not half open any more, and lets the next one in")
  func halfOpenEnds() throws {
    var settings = DeskSettings()
    settings.halfOpenSessions = 1
    let scene = KioskScene(desk: settings)
    let ada = scene.connect("Ada")
    try ada.present()
    scene.world.settle()
    let grace = scene.connect("Grace")
    #expect(!ada.isClosed && !grace.isClosed)
    #expect(!scene.connect("Edith").isClosed)
    #expect(!ada.isClosed && grace.isClosed)
  }

  @Test("R19: a full kiosk says busy to genuine requests, and beyond that refuses connections")
  func busy() throws {
    var settings = DeskSettings()
    (settings.openSessions, settings.busySessions) = (1, 1)
    let scene = KioskScene(desk: settings)
    _ = try scene.arrive("Ada")
    let grace = scene.connect("Grace")
    let third = scene.connect("Mallory")
    #expect(third.isClosed)
    try grace.present(request: KioskScene.request(2))
    scene.world.settle()
    #expect(try grace.answer() == Answer(.busy, retryAfter: .seconds(5)))
    #expect(scene.ledger.entries.isEmpty)
    #expect(scene.greeting?.name == "Ada")
  }

  @Test(
    "R21: clocks may differ by five minutes, and beyond it the reason is clock_skew",
    arguments: [-301, -300, 300, 301] as [Int64])
  func clockSkew(seconds: Int64) throws {
    let scene = KioskScene()
    let ada = scene.connect("Ada")
    try ada.present(time: scene.world.now.wall.advanced(by: .seconds(seconds)))
    scene.world.settle()
    if abs(seconds) > 300 {
      #expect(try ada.answer() == Answer(.clockSkew))
    } else {
      _ = try ada.readAll()
      #expect(ada.pin != nil)
    }
  }

  @Test("R13, R16: no event has a PIN or a token in it")
  func events() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    let pin = try #require(ada.pin)
    scene.type(scene.wrong(pin))
    try ada.confirm(evidence: "perhaps")
    scene.world.settle()
    try ada.confirm()
    scene.world.settle()
    let secret = Array("a secret of mine".utf8)
    let mallory = scene.connect("Mallory")
    mallory.send(try mallory.initialRequest(mallory.hello(), token: secret))
    scene.world.settle()
    let digits = String(decoding: pin.digits, as: UTF8.self)
    for event in scene.kiosk.events {
      let text = "\(event)"
      #expect(!text.contains("\"\(digits)\"") && !text.contains("secret of mine"))
    }
    #expect(
      scene.kiosk.events.map(\.name) == [
        "initial_request", "pin_issued", "wrong_pin", "confirmation_failed", "checked_in", "invalid_token",
      ])
    guard case .invalidToken(_, let prefix, .unknown)? = scene.kiosk.events.last else {
      Issue.record("no line about the invalid token")
      return
    }
    #expect(prefix == scene.event.cryptography.sha256(secret.span).prefix)
  }
}
