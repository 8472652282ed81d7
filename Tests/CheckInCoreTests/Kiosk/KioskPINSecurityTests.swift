internal import CheckInCore
internal import TestSupport
internal import Testing

/// The rules of security.md about PINs and confirmations, as far as a kiosk's session keeps them.
@Suite struct KioskPINSecurityTests {
  @Test("R2: a PIN confirms nothing outside the session that it was made for")
  func pinIsBoundToItsSession() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    let mallory = try scene.arrive("Mallory", request: 2)
    try mallory.confirm(pin: ada.pin)
    scene.world.settle()
    #expect(scene.ledger.admissions.isEmpty)
    #expect(scene.ledger.failures.count == 1)
    try ada.confirm()
    scene.world.settle()
    #expect(scene.ledger.admissions.keys.sorted() == ["attendee-Ada"])
  }

  @Test(
    "R3: three wrong PINs end the session, typed, sent or mixed",
    arguments: [[true, true, true], [false, true, false]])
  func threeWrongPINs(typed: [Bool]) throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    let wrong = scene.wrong(try #require(ada.pin))
    for (index, isTyped) in typed.enumerated() {
      if isTyped { scene.type(wrong) } else { try ada.confirm(pin: wrong) }
      scene.world.settle()
      let said = try ada.readAll()
      if index < 2 {
        guard case .notice(.wrongPIN(let left))? = said.last else {
          Issue.record("no notice")
          return
        }
        #expect(left == UInt64(2 - index))
        #expect(scene.greeting?.attemptsLeft == 2 - index)
      } else {
        guard case .result(let result)? = said.first else {
          Issue.record("no result")
          return
        }
        #expect(result.answer == Answer(.tooManyAttempts, retryAfter: .seconds(5)))
      }
      #expect(scene.ledger.failures.count == index + 1)
    }
    try ada.confirm()
    scene.world.settle()
    #expect(scene.ledger.admissions.isEmpty)
  }

  @Test("R3: a wrong PIN is durable before anyone learns that it was wrong")
  func failureIsDurableFirst() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    scene.kiosk.isHolding = true
    scene.type(scene.wrong(try #require(ada.pin)))
    #expect(try ada.readAll().isEmpty)
    #expect(scene.greeting?.hint == .checking)
    #expect(scene.ledger.failures.count == 1)
    scene.kiosk.release()
    scene.world.settle()
    #expect(try ada.readAll().count == 1)
    #expect(scene.greeting?.hint == .wrongPIN)
  }

  @Test("R3: failures of a token delay its next session, more and more, and a restart forgives nothing")
  func tokenDelay() throws {
    let scene = KioskScene()
    func failThrice(_ request: UInt8) throws {
      let ada = try scene.arrive("Ada", request: request)
      for _ in 0..<3 { scene.type(scene.wrong(try #require(ada.pin))) }
      scene.world.advance(by: .milliseconds(500))
    }
    try failThrice(1)
    let early = scene.connect("Ada")
    try early.present(request: KioskScene.request(2))
    scene.world.settle()
    #expect(try early.answer() == Answer(.tooManyAttempts, retryAfter: .seconds(5)))
    scene.kiosk.crash()
    let afterRestart = scene.connect("Ada")
    try afterRestart.present(request: KioskScene.request(3))
    scene.world.settle()
    #expect(try afterRestart.answer()?.reason == .tooManyAttempts)
    scene.world.advance(by: .seconds(5))
    try failThrice(4)
    let later = scene.connect("Ada")
    try later.present(request: KioskScene.request(5))
    scene.world.settle()
    #expect(try later.answer() == Answer(.tooManyAttempts, retryAfter: .seconds(40)))
    let grace = try scene.arrive("Grace", request: 6)
    #expect(grace.pin != nil)
    scene.world.advance(by: .seconds(900))
    #expect(try scene.arrive("Ada", request: 7).pin != nil)
  }

  @Test(
    "R4: a PIN on the screen dies after 120 seconds, whatever the wall clock does",
    arguments: [-86_400, 0, 86_400] as [Int64])
  func pinLife(clockMoved: Int64) throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    scene.world.setWall(scene.world.now.wall.advanced(by: .seconds(clockMoved)))
    scene.world.advance(by: .milliseconds(119_999))
    #expect(scene.greeting != nil)
    #expect(ada.inbox.isEmpty)
    scene.world.advance(by: .milliseconds(1))
    #expect(try ada.answer() == Answer(.pinExpired))
    #expect(scene.ledger.admissions.isEmpty)
  }

  @Test("R4: digits that arrive after the PIN's end are refused even if its timer is late")
  func lateTimer() throws {
    var rig = SessionRig()
    try rig.reachConfirming(pin: "12345")
    let later = Moment(wall: rig.now.wall, monotonic: rig.now.monotonic + .seconds(120))
    _ = rig.session.handle(.desk(.onScreen), now: rig.now)
    let actions = rig.session.handle(.desk(.digitsTyped(PIN("12345")!)), now: later)
    #expect(actions.refusals == [.pinExpired])
    #expect(actions.admissions == 0)
  }

  @Test("R4: a PIN that expires while its session waits is replaced, and the old one is dead")
  func renewalWhileWaiting() throws {
    let scene = KioskScene()
    _ = try scene.arrive("Ada")
    scene.world.advance(by: .seconds(30))
    let mallory = try scene.arrive("Mallory", request: 3)
    let grace = try scene.arrive("Grace", request: 2)
    let old = try #require(grace.pin)
    scene.world.advance(by: .seconds(90))
    scene.world.advance(by: .seconds(4))
    #expect(scene.greeting?.name == "Mallory")
    scene.world.advance(by: .seconds(30))
    _ = try grace.readAll()
    let new = try #require(grace.pin)
    #expect(!new.matches(old))
    mallory.line.abort(from: .phone)
    scene.world.settle()
    #expect(scene.greeting?.name == "Grace")
    scene.type(old)
    #expect(scene.ledger.admissions.isEmpty)
    scene.type(new)
    #expect(scene.ledger.admissions["attendee-Grace"] != nil)
  }

  @Test("R4: a session that reaches the screen with little left on its PIN gets a new one")
  func renewalOnScreen() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    let grace = try scene.arrive("Grace", request: 2)
    let old = try #require(grace.pin)
    scene.world.advance(by: .seconds(61))
    ada.line.abort(from: .phone)
    scene.world.settle()
    _ = try grace.readAll()
    #expect(grace.pin?.matches(old) == false)
    #expect(scene.greeting?.deadline == scene.world.now.monotonic + .seconds(120))
  }

  @Test("R6: a phone that confirms with the PIN just replaced is refused, and not counted, once")
  func replacedPIN() throws {
    var rig = SessionRig()
    try rig.reachConfirming(pin: "12345")
    _ = rig.session.handle(.desk(.waiting(ahead: 1)), now: rig.now)
    let later = Moment(wall: rig.now.wall, monotonic: rig.now.monotonic + .seconds(120))
    _ = rig.session.handle(.timerFired(.pin), now: later)
    _ = rig.session.handle(.desk(.pinIssued(PIN("54321")!)), now: later)
    func confirm(_ pin: String) throws -> [UInt8] {
      try rig.phone.seal(
        .checkInRequest(
          .init(request: KioskScene.request(1), pin: PIN(pin)!, authenticator: "mock-biometric", evidence: [])))
    }
    let (first, second, third) = (try confirm("12345"), try confirm("12345"), try confirm("54321"))
    let crossed = rig.session.handle(.received(first), now: later)
    #expect(crossed.judgements == 0 && crossed.failures == 0 && crossed.ends.isEmpty)
    let repeated = rig.session.handle(.received(second), now: later)
    #expect(repeated.judgements == 0 && repeated.failures == 1)
    _ = rig.session.handle(.failureRecorded, now: later)
    let right = rig.session.handle(.received(third), now: later)
    #expect(right.judgements == 1)
  }

  @Test("R5: the PIN is used up before the answer is sent, and using it again is refused")
  func consumedFirst() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    let pin = try #require(ada.pin)
    try ada.confirm()
    scene.world.settle()
    let order = scene.kiosk.actions.map(\.action)
    let consumed = try #require(order.firstIndex { if case .desk(.consumePIN) = $0 { true } else { false } })
    let admitted = try #require(order.firstIndex { if case .admit = $0 { true } else { false } })
    let sent = try #require(order.lastIndex { if case .send = $0 { true } else { false } })
    #expect(consumed < admitted)
    #expect(admitted < sent)
    try ada.confirm(pin: pin)
    scene.type(pin)
    scene.world.settle()
    #expect(scene.ledger.entries.count == 1)
    #expect(scene.kiosk.events.count { $0.name == "checked_in" } == 1)
  }

  @Test("R5: a stranger cannot burn someone else's PIN")
  func strangerCannotBurn() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    let pin = try #require(ada.pin)
    let mallory = try scene.arrive("Mallory", request: 2)
    for _ in 0..<3 {
      try mallory.confirm(pin: pin)
      scene.world.settle()
    }
    #expect(scene.ledger.failures.count == 3)
    #expect(scene.greeting?.attemptsLeft == 3)
    scene.type(pin)
    #expect(try ada.answer()?.reason == .admitted)
  }

  @Test("R6: a new session of the same token ends the old one, and the old PIN is dead")
  func superseded() throws {
    let scene = KioskScene()
    let old = try scene.arrive("Ada", request: 1)
    let oldPIN = try #require(old.pin)
    let new = try scene.arrive("Ada", request: 2)
    #expect(try old.answer() == Answer(.superseded))
    #expect(scene.greeting?.name == "Ada")
    scene.type(oldPIN)
    #expect(scene.ledger.admissions.isEmpty)
    scene.type(try #require(new.pin))
    #expect(try new.answer()?.reason == .admitted)
  }

  @Test("R6: the same request on a new connection ends the old session without an answer, and lives on")
  func handedOver() throws {
    let scene = KioskScene()
    let old = try scene.arrive("Ada", request: 1)
    let new = try scene.arrive("Ada", request: 1)
    let said = try old.readAll()
    #expect(said.count == 1)
    guard case .goodbye? = said.first else {
      Issue.record("no goodbye")
      return
    }
    try new.confirm()
    scene.world.settle()
    #expect(try new.answer()?.reason == .admitted)
  }

  @Test("R6: the PIN of a session that waits, typed while another is on the screen, is a wrong PIN of that other")
  func otherOnScreen() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    let grace = try scene.arrive("Grace", request: 2)
    scene.type(try #require(grace.pin))
    #expect(scene.ledger.admissions.isEmpty)
    guard case .notice(.wrongPIN(2))? = try ada.readAll().last else {
      Issue.record("not counted for Ada")
      return
    }
    #expect(try grace.readAll().isEmpty)
  }

  @Test("R14: a phone that confirms by a way that was not offered is refused", arguments: ["face", "pin", ""])
  func notOffered(authenticator: String) throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    try ada.confirm(authenticator: authenticator)
    scene.world.settle()
    #expect(try ada.answer() == Answer(.authenticatorNotAccepted))
    #expect(scene.ledger.admissions.isEmpty)
  }

  @Test("R14: where the keypad is not offered, digits that are typed go nowhere")
  func keypadNotOffered() throws {
    let scene = KioskScene(authenticators: [.biometric])
    let ada = try scene.arrive("Ada")
    #expect(scene.greeting != nil && scene.greeting?.boxes == nil)
    scene.type(try #require(ada.pin))
    #expect(scene.ledger.admissions.isEmpty)
    #expect(scene.ledger.failures.isEmpty)
  }

  @Test("R15: five refused confirmations leave the keypad, which still works")
  func fiveConfirmations() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    for left in [4, 3, 2, 1, 0] as [UInt64] {
      try ada.confirm(evidence: "perhaps me")
      scene.world.settle()
      guard case .notice(.confirmationFailed(left))? = try ada.readAll().last else {
        Issue.record("no notice")
        return
      }
    }
    #expect(scene.ledger.failures.count == 5)
    scene.type(try #require(ada.pin))
    #expect(try ada.answer()?.reason == .admitted)
  }

  @Test("R15: a sixth confirmation breaks the protocol, and without a keypad the fifth ends the session")
  func sixthConfirmation() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    for _ in 0..<6 {
      try ada.confirm(evidence: "perhaps me")
      scene.world.settle()
    }
    #expect(scene.ends == [.fault(.unexpectedMessage)])
    let bare = KioskScene(authenticators: [.biometric])
    let grace = try bare.arrive("Grace")
    for _ in 0..<5 {
      try grace.confirm(evidence: "perhaps me")
      bare.world.settle()
    }
    #expect(try grace.answer() == Answer(.authenticatorNotAccepted))
  }

  @Test("R25: a genuine token alone, however near, admits nobody")
  func personActs() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    scene.world.advance(by: .seconds(119))
    #expect(ada.inbox.isEmpty)
    scene.world.advance(by: .seconds(1))
    #expect(try ada.answer() == Answer(.pinExpired))
    #expect(scene.ledger.admissions.isEmpty)
  }
}
