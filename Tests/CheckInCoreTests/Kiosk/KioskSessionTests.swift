internal import CheckInCore
internal import TestSupport
internal import Testing

/// What a person at the kiosk lives through.
@Suite struct KioskSessionTests {
  @Test("A confirmation on the phone admits, shows it, and ends with a goodbye on both sides")
  func biometric() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    #expect(scene.greeting?.name == "Ada")
    try ada.confirm()
    scene.world.settle()
    let said = try ada.readAll()
    guard case .result(let result)? = said.first, case .goodbye? = said.last else {
      Issue.record("no result and goodbye")
      return
    }
    #expect(result.answer == Answer(.admitted, admittedAt: scene.world.now.wall, gate: "North"))
    #expect(result.request == ada.request)
    #expect(scene.ledger.admissions["attendee-Ada"]?.gate == "North")
    #expect(scene.kiosk.view == .outcome(KioskOutcome(name: "Ada", answer: result.answer)))
    try ada.say(.goodbye)
    scene.world.settle()
    #expect(scene.ends == [.finished])
    scene.world.advance(by: .seconds(4))
    #expect(scene.isWelcome)
  }

  @Test("Digits on the keypad admit, with a backspace for a slip of the finger")
  func keypad() throws {
    let scene = KioskScene()
    let grace = try scene.arrive("Grace")
    let pin = try #require(grace.pin)
    scene.kiosk.press(.digit((pin.digits[0] - 48 + 1) % 10))
    scene.kiosk.press(.backspace)
    scene.type(pin)
    #expect(try grace.answer()?.reason == .admitted)
    #expect(scene.ledger.admissions["attendee-Grace"] != nil)
  }

  @Test("The person can give up, and the kiosk says that it heard")
  func cancel() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    try ada.say(.cancel)
    scene.world.settle()
    #expect(try ada.answer() == Answer(.cancelled))
    #expect(scene.ledger.admissions.isEmpty)
    #expect(scene.ledger.entries.map(\.answer.reason) == [.cancelled])
  }

  @Test("A request that is taken back before its PIN is refused as cancelled", arguments: [true, false])
  func earlyCancel(beforeVerdict: Bool) throws {
    let scene = KioskScene()
    let ada = scene.connect("Ada")
    scene.kiosk.isHolding = true
    try ada.present()
    if beforeVerdict { try ada.say(.cancel) }
    scene.world.settle()
    scene.kiosk.release()
    if !beforeVerdict { try ada.say(.cancel) }
    scene.world.settle()
    #expect(try ada.answer()?.reason == .cancelled)
    #expect(scene.ledger.admissions.isEmpty)
    #expect(scene.isWelcome == false)
  }

  @Test("What speaks against a genuine ticket is told with its reason, and stored")
  func refusals() throws {
    let now = WallTime(secondsSince1970: 1_800_000_000)
    func validity(_ from: Int64?, _ until: Int64?, gates: [String] = []) -> Validity {
      Validity(
        issuedAt: nil, validFrom: from.map { now.advanced(by: .seconds($0)) },
        validUntil: until.map { now.advanced(by: .seconds($0)) }, gates: gates)
    }
    let cases: [(Reason, Validity, String?)] = [
      (.notYetValid, validity(3600, nil), nil), (.expired, validity(nil, -3600), nil),
      (.wrongGate, validity(nil, nil, gates: ["South"]), nil), (.wrongEvent, validity(nil, nil), "other-event"),
    ]
    for (reason, validity, other) in cases {
      let scene = KioskScene()
      let ada = scene.connect(scene.event.attendee("Ada", event: other, validity: validity))
      try ada.present()
      scene.world.settle()
      #expect(try ada.answer()?.reason == reason)
      #expect(scene.ledger.entries.map(\.answer.reason) == [reason])
      #expect(scene.ledger.admissions.isEmpty)
    }
  }

  @Test("A ticket that was taken back is refused as revoked")
  func revoked() throws {
    let scene = KioskScene()
    let ticket = scene.event.attendee("Ada")
    scene.kiosk.revoked = [ticket.profile.token]
    let ada = scene.connect(ticket)
    try ada.present()
    scene.world.settle()
    #expect(try ada.answer() == Answer(.revoked))
  }

  @Test("The verifier is told for whom, and the transcript that the phone has too")
  func context() throws {
    var rig = SessionRig()
    try rig.reachConfirming(pin: "12345")
    let transcript = rig.phone.conversation.transcript
    let request = try rig.phone.seal(
      .checkInRequest(
        .init(request: KioskScene.request(1), pin: PIN("12345")!, authenticator: "mock-biometric", evidence: [])))
    let contexts = rig.session.handle(.received(request), now: rig.now).compactMap { action in
      if case .judgeEvidence(_, _, let context) = action { context } else { nil }
    }
    #expect(contexts.map(\.attendee) == ["Ada"])
    #expect(contexts.map(\.transcript) == [transcript])
  }

  @Test(
    "R18: who is in is told so even if that cannot be stored, and any other refusal is not",
    arguments: [Reason.alreadyAdmitted, .cancelled])
  func unstoredRefusal(reason: Reason) throws {
    var rig = SessionRig()
    let answer = Answer(.alreadyAdmitted, admittedAt: WallTime(secondsSince1970: 1_800_000_000), gate: "South")
    if reason == .alreadyAdmitted {
      try rig.reachDeciding()
      let asked = rig.session.handle(.standing(.admitted(at: answer.admittedAt!, gate: "South")), now: rig.now)
      #expect(asked.refusals == [.alreadyAdmitted])
    } else {
      try rig.reachConfirming(pin: "12345")
      let asked = rig.session.handle(.received(try rig.phone.seal(.cancel)), now: rig.now)
      #expect(asked.refusals == [.cancelled])
    }
    let told = rig.session.handle(.ledgerFailed, now: rig.now)
    rig.forward(told)
    #expect(try rig.phone.answer() == (reason == .alreadyAdmitted ? answer : Answer(.internal)))
    #expect(told.admissions == 0)
  }

  @Test("A ledger that fails is told as internal, stores nothing, and leaves the request open")
  func brokenLedger() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    scene.ledger.isBroken = true
    try ada.confirm()
    scene.world.settle()
    #expect(try ada.answer() == Answer(.internal))
    #expect(scene.ledger.entries.isEmpty)
    scene.ledger.isBroken = false
    let again = try scene.arrive("Ada", request: 1)
    try again.confirm()
    scene.world.settle()
    #expect(try again.answer()?.reason == .admitted)
  }

  @Test(
    "A ledger that fails before the PIN, or when a wrong PIN is to be recorded, lets nobody go on", arguments: [0, 1])
  func brokenLedgerEarly(step: Int) throws {
    let scene = KioskScene()
    let ada = scene.connect("Ada")
    if step == 0 { scene.ledger.isBroken = true }
    try ada.present()
    scene.world.settle()
    if step == 1 {
      _ = try ada.readAll()
      scene.ledger.isBroken = true
      scene.type(scene.wrong(try #require(ada.pin)))
    }
    #expect(try ada.answer() == Answer(.internal))
    #expect(scene.greeting == nil)
  }

  @Test("A phone that goes away frees the screen at once, and nothing is stored", arguments: [true, false])
  func peerGoes(inGoodOrder: Bool) throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    if inGoodOrder { ada.line.close(from: .phone) } else { ada.line.abort(from: .phone) }
    scene.world.settle()
    #expect(scene.isWelcome)
    #expect(scene.ends == [inGoodOrder ? .peerFinished : .peerLost])
    #expect(scene.ledger.entries.isEmpty)
    #expect(scene.kiosk.openSessions == 0)
  }

  @Test("A phone that says goodbye before its answer is let go")
  func earlyGoodbye() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    try ada.say(.goodbye)
    scene.world.settle()
    #expect(scene.ends == [.peerFinished])
    #expect(scene.isWelcome)
  }

  @Test("A phone that never says goodbye is closed after two seconds")
  func goodbyeWait() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    try ada.confirm()
    scene.world.advance(by: .milliseconds(1999))
    #expect(!ada.isClosed)
    scene.world.advance(by: .milliseconds(1))
    #expect(ada.isClosed)
    #expect(scene.ends == [.timedOut("goodbye")])
  }

  @Test("No session lasts longer than ten minutes, wherever it is")
  func wholeSession() throws {
    let scene = KioskScene()
    let front = try scene.arrive("Ada")
    var settings = KioskSettings()
    settings.session = .seconds(50)
    let short = KioskScene(settings: settings)
    let grace = try short.arrive("Grace")
    short.world.advance(by: .seconds(50))
    #expect(grace.isClosed)
    #expect(short.ends == [.timedOut("session")])
    #expect(short.isWelcome)
    scene.world.advance(by: .seconds(600))
    #expect(front.isClosed)
  }

  @Test("When the kiosk stops, those who confirm are told, and all sessions end")
  func stop() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    let silent = scene.connect("Grace")
    scene.kiosk.stop()
    scene.world.settle()
    #expect(try ada.answer() == Answer(.cancelled))
    #expect(silent.isClosed)
    scene.world.advance(by: .seconds(2))
    #expect(scene.kiosk.openSessions == 0)
  }

  @Test("A phone that is lost while the ledger admits is in all the same, and the screen says so")
  func lostWhileStoring() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    scene.kiosk.isHolding = true
    scene.type(try #require(ada.pin))
    ada.line.abort(from: .phone)
    scene.world.settle()
    scene.kiosk.release()
    scene.world.settle()
    #expect(scene.ledger.admissions["attendee-Ada"] != nil)
    guard case .outcome(let outcome) = scene.kiosk.view else {
      Issue.record("the screen says nothing")
      return
    }
    #expect(outcome.isSuccess)
    #expect(scene.ends == [.peerLost])
  }

  @Test("A key that would not sign ends the session without a trap")
  func brokenKey() {
    struct BrokenKey: SigningKey {
      let publicKey = FakeSigningKey("x").publicKey
      func sign(_ message: Span<UInt8>) throws(SigningError) -> [UInt8] { throw SigningError("gone") }
    }
    let scene = KioskScene()
    var session = KioskSession(profile: scene.kiosk.profile, cryptography: scene.event.cryptography, key: BrokenKey())
    let actions = session.handle(.start(isBusy: false), now: scene.world.now)
    let isEnded = session.isEnded
    #expect(isEnded)
    guard case .abort? = actions.last else {
      Issue.record("the session goes on")
      return
    }
  }

  @Test("A second start, anything before the start, and an answer to no question are programming errors")
  func misuse() async {
    await #expect(processExitsWith: .failure) {
      var session = KioskSession(
        profile: KioskProfile(event: "", kiosk: "", gate: "", credential: [], authenticators: []),
        cryptography: FakeCryptography(), key: FakeSigningKey("kiosk"))
      let now = Moment(wall: WallTime(secondsSince1970: 0), monotonic: MonotonicTime(sinceStart: .zero))
      _ = session.handle(.start(isBusy: false), now: now)
      _ = session.handle(.start(isBusy: false), now: now)
    }
    await #expect(processExitsWith: .failure) {
      var session = KioskSession(
        profile: KioskProfile(event: "", kiosk: "", gate: "", credential: [], authenticators: []),
        cryptography: FakeCryptography(), key: FakeSigningKey("kiosk"))
      let now = Moment(wall: WallTime(secondsSince1970: 0), monotonic: MonotonicTime(sinceStart: .zero))
      _ = session.handle(.received([1]), now: now)
    }
    await #expect(processExitsWith: .failure) {
      var session = KioskSession(
        profile: KioskProfile(event: "e", kiosk: "k", gate: "g", credential: [1], authenticators: []),
        cryptography: FakeCryptography(), key: FakeSigningKey("kiosk"))
      let now = Moment(wall: WallTime(secondsSince1970: 0), monotonic: MonotonicTime(sinceStart: .zero))
      _ = session.handle(.start(isBusy: false), now: now)
      _ = session.handle(.stored(Answer(.cancelled)), now: now)
    }
  }
}
