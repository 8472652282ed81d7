internal import CheckInCore
internal import TestSupport
internal import Testing

/// The queue, the screen and the limits that a kiosk's sessions share.
@Suite struct KioskDeskTests {
  private func notices(_ phone: ScriptedPhone) throws -> [Message.Notice] {
    try phone.readAll().compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
  }

  @Test("Two phones at once: one is on the screen, the other waits its turn and is told so")
  func twoPhones() throws {
    let scene = KioskScene()
    let ada = scene.connect("Ada")
    try ada.present(request: KioskScene.request(1))
    let grace = scene.connect("Grace")
    try grace.present(request: KioskScene.request(2))
    scene.world.settle()
    #expect(try notices(ada) == [.onScreen])
    scene.world.advance(by: .milliseconds(249))
    #expect(try notices(grace) == [])
    scene.world.advance(by: .milliseconds(1))
    #expect(try notices(grace) == [.waiting(ahead: 1)])
    #expect(scene.greeting?.name == "Ada")
    #expect(scene.greeting?.waiting == 1)
    scene.type(try #require(ada.pin))
    scene.world.advance(by: .milliseconds(1499))
    #expect(scene.greeting == nil)
    scene.world.advance(by: .milliseconds(1))
    #expect(scene.greeting?.name == "Grace")
    #expect(try notices(grace) == [.onScreen])
  }

  @Test("An outcome stays four seconds, or shortens to one and a half when somebody comes")
  func outcomeTime() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    try ada.confirm()
    scene.world.advance(by: .seconds(1))
    let grace = scene.connect("Grace")
    try grace.present(request: KioskScene.request(2))
    scene.world.advance(by: .milliseconds(499))
    #expect(try notices(grace) == [.waiting(ahead: 1)])
    #expect(scene.greeting == nil)
    scene.world.advance(by: .milliseconds(1))
    #expect(scene.greeting?.name == "Grace")
    try grace.confirm()
    scene.world.advance(by: .milliseconds(3999))
    guard case .outcome = scene.kiosk.view else {
      Issue.record("the outcome is gone")
      return
    }
    scene.world.advance(by: .milliseconds(1))
    #expect(scene.isWelcome)
  }

  @Test("Who confirms on the phone while waiting leaves the queue, and the screen stays with whom it was")
  func leavesWhileWaiting() throws {
    let scene = KioskScene()
    _ = try scene.arrive("Ada")
    let grace = try scene.arrive("Grace", request: 2)
    let lin = try scene.arrive("Lin", request: 3)
    try grace.confirm()
    scene.world.settle()
    #expect(try grace.answer()?.reason == .admitted)
    #expect(scene.greeting?.name == "Ada")
    #expect(scene.greeting?.waiting == 1)
    scene.world.advance(by: .milliseconds(250))
    #expect(try notices(lin) == [.waiting(ahead: 1)])
  }

  @Test("Who is served soon is told of no queue, and who waits is told at most four times a second")
  func newsOfQueueGathers() throws {
    let scene = KioskScene()
    _ = try scene.arrive("Ada")
    let quick = try scene.arrive("Grace", request: 2)
    try quick.confirm()
    scene.world.settle()
    #expect(try notices(quick) == [])
    let before = try (3...12).map { try scene.arrive("Guest \($0)", request: UInt8($0)) }
    let last = try scene.arrive("Lin", request: 13)
    scene.world.advance(by: .milliseconds(250))
    #expect(try notices(last) == [.waiting(ahead: 11)])
    for phone in before.dropFirst() {
      phone.line.abort(from: .phone)
      scene.world.advance(by: .milliseconds(10))
    }
    #expect(try notices(last) == [])
    scene.world.advance(by: .milliseconds(250))
    #expect(try notices(last) == [.waiting(ahead: 2)])
    scene.world.advance(by: .seconds(1))
    #expect(try notices(last) == [])
  }

  @Test("No name is left behind: after everyone has gone the screen is the welcome that it began with")
  func noNameLeft() throws {
    let scene = KioskScene()
    let first = try #require(scene.kiosk.views.first)
    for (index, name) in ["Ada", "Grace", "Mallory"].enumerated() {
      let phone = try scene.arrive(name, request: UInt8(index + 1))
      try phone.confirm()
      scene.world.settle()
    }
    scene.world.advance(by: .seconds(600))
    #expect(scene.kiosk.view == first)
    #expect(first == .welcome(.init(event: "SwiftConf", kiosk: "Hall A", gate: "North")))
    #expect(scene.kiosk.openSessions == 0)
  }

  @Test("A long queue is told its place when it matters, and not at every step")
  func quietQueue() throws {
    let scene = KioskScene()
    let front = try scene.arrive("Ada")
    let others = try (2...40).map { try scene.arrive("Guest \($0)", request: UInt8($0)) }
    scene.world.advance(by: .milliseconds(250))
    for (index, phone) in others.enumerated() { #expect(try notices(phone) == [.waiting(ahead: UInt64(index + 1))]) }
    front.line.abort(from: .phone)
    scene.world.advance(by: .milliseconds(250))
    var told = 0
    for (index, phone) in others.enumerated() {
      let heard = try notices(phone)
      told += heard.count
      if index == 0 { #expect(heard == [.onScreen]) }
      if (1...3).contains(index) { #expect(heard == [.waiting(ahead: UInt64(index))]) }
    }
    #expect(told == 1 + 3 + 3)
  }

  @Test("R6: live PINs differ even when the random source repeats itself, and without any left the kiosk is busy")
  func pinsDiffer() throws {
    let scene = KioskScene(pins: 5)
    let phones = try (1...5).map { try scene.arrive("Guest \($0)", request: UInt8($0)) }
    let pins = try phones.map { String(decoding: try #require($0.pin).digits, as: UTF8.self) }
    #expect(Set(pins).count == 5)
    #expect(scene.world.violations.isEmpty)
    let sixth = scene.connect("Guest 6")
    try sixth.present(request: KioskScene.request(6))
    scene.world.settle()
    #expect(try sixth.answer()?.reason == .busy)
    try phones[2].confirm()
    scene.world.settle()
    #expect(try scene.arrive("Guest 7", request: 7).pin != nil)
  }

  @Test("R16: five invalid tokens a second have their line, the rest are summed up in one")
  func rateLimitedLog() throws {
    let scene = KioskScene()
    for _ in 0..<12 {
      let phone = scene.connect("Mallory")
      phone.send(try phone.initialRequest(phone.hello(), token: [1]))
      scene.world.settle()
    }
    #expect(scene.kiosk.events.count { $0.name == "invalid_token" } == 5)
    scene.world.advance(by: .seconds(1))
    #expect(scene.kiosk.events.last == .invalidTokensSuppressed(count: 7))
    let phone = scene.connect("Mallory")
    phone.send(try phone.initialRequest(phone.hello(), token: [1]))
    scene.world.settle()
    #expect(scene.kiosk.events.last?.name == "invalid_token")
  }

  @Test("R19: half-open sessions, and those of one peer each second, are limited; others are served")
  func connectionLimits() throws {
    var settings = DeskSettings()
    (settings.halfOpenSessions, settings.sessionBurst, settings.sessionsPerSecond) = (4, 3, 2)
    var desk = desk(settings)
    var number: UInt8 = 0
    var displaced: [SessionID] = []
    func admit(_ peer: String?, after time: Duration = .zero) -> DeskAdmission {
      number += 1
      let (admission, actions) = desk.admit(id(number), peer: peer, now: moment(time))
      displaced += actions.displaced
      return admission
    }
    #expect([admit("a"), admit("a"), admit("a")] == [.accept, .accept, .accept])
    #expect(admit("a") == .refuse(.peerTooFast))
    #expect(admit("b") == .accept)
    #expect(displaced.isEmpty)
    #expect(admit("c") == .accept)
    #expect(displaced == [id(1)], "the oldest")
    _ = desk.handle(.closed, from: id(1), now: moment(.zero))
    _ = desk.handle(.initialRequestArrived, from: id(2), now: moment(.zero))
    #expect(admit(nil) == .accept)
    #expect(displaced == [id(1)], "there was a place")
    #expect(admit("a", after: .milliseconds(499)) == .refuse(.peerTooFast))
    #expect(admit("a", after: .milliseconds(500)) == .accept)
    #expect(displaced == [id(1), id(3)], "one that has presented itself is not half open")
    #expect(admit("a", after: .milliseconds(500)) == .refuse(.peerTooFast))
    #expect(displaced.count == 2, "who is refused displaces nobody")
  }

  @Test("R19: sixty-four silent peers of many addresses keep nobody out: the oldest makes room")
  func silentPeers() throws {
    let scene = KioskScene()
    let silent = (0..<64).map { scene.connect("Silent \($0)", peer: "10.0.0.\($0 % 2)") }
    #expect(!silent.contains { $0.isClosed })
    let ada = scene.connect("Ada", peer: "10.0.0.2")
    #expect(silent.map(\.isClosed) == [true] + Array(repeating: false, count: 63))
    #expect(scene.ends == [.displaced])
    try ada.present()
    scene.world.settle()
    _ = try ada.readAll()
    try ada.confirm()
    scene.world.settle()
    #expect(try ada.answer()?.reason == .admitted)
  }

  @Test("R19: where no session may be half open, none is displaced and none begins")
  func noHalfOpen() {
    var settings = DeskSettings()
    settings.halfOpenSessions = 0
    var desk = desk(settings)
    let (admission, actions) = desk.admit(id(1), peer: "a", now: moment(.zero))
    #expect(admission == .refuse(.tooManyHalfOpen))
    #expect(actions.displaced.isEmpty)
  }

  @Test("A session whose request has come is not displaced any more")
  func displacedTooLate() throws {
    var rig = SessionRig()
    try rig.reachConfirming(pin: "12345")
    #expect(rig.session.handle(.desk(.displaced), now: rig.now).isEmpty)
    let isEnded = rig.session.isEnded
    #expect(!isEnded)
  }

  @Test("R19: one silent peer cannot take every half-open place")
  func halfOpenPerPeer() {
    var settings = DeskSettings()
    (settings.halfOpenSessions, settings.halfOpenSessionsPerPeer) = (4, 2)
    var desk = desk(settings)
    let admissions = ["a", "a", "a", "b", nil].enumerated().map { number, peer in
      desk.admit(id(UInt8(number)), peer: peer, now: moment(.zero)).admission
    }
    #expect(admissions == [.accept, .accept, .refuse(.tooManyHalfOpen), .accept, .accept])
    for _ in 0..<2 { _ = desk.handle(.closed, from: id(0), now: moment(.zero)) }
    #expect(desk.admit(id(10), peer: "a", now: moment(.zero)).admission == .accept)
    _ = desk.handle(.initialRequestArrived, from: id(1), now: moment(.zero))
    #expect(desk.admit(id(11), peer: "a", now: moment(.zero)).admission == .accept)
    #expect(desk.admit(id(12), peer: "a", now: moment(.zero)).admission == .refuse(.tooManyHalfOpen))
  }

  @Test("R19: a closed session gives its place back, once")
  func placesComeBack() {
    var settings = DeskSettings()
    (settings.openSessions, settings.busySessions, settings.halfOpenSessions) = (2, 1, 3)
    var desk = desk(settings)
    let first = (1...4).map { desk.admit(id($0), peer: nil, now: moment(.zero)).admission }
    #expect(first == [.accept, .accept, .acceptBusy, .refuse(.tooManySessions)])
    for _ in 0..<3 { _ = desk.handle(.closed, from: id(1), now: moment(.zero)) }
    let second = (5...6).map { desk.admit(id($0), peer: nil, now: moment(.zero)).admission }
    #expect(second == [.acceptBusy, .refuse(.tooManySessions)])
  }

  @Test("R19: a thousand peers are forgotten again, the quiet ones first")
  func peersAreForgotten() {
    var settings = DeskSettings()
    (settings.rememberedPeers, settings.sessionBurst, settings.sessionsPerSecond) = (10, 1, 1)
    (settings.halfOpenSessions, settings.openSessions) = (10_000, 10_000)
    var desk = desk(settings)
    for number in 0..<1000 {
      let bytes = Bytes16(UInt64(number).bigEndianBytes + UInt64(7).bigEndianBytes)!
      let admission = desk.admit(SessionID(bytes), peer: "peer \(number)", now: moment(.milliseconds(number))).admission
      #expect(admission == .accept)
    }
    #expect(desk.admit(id(1), peer: "peer 999", now: moment(.seconds(1))).admission == .refuse(.peerTooFast))
    #expect(desk.admit(id(2), peer: "peer 1", now: moment(.seconds(1))).admission == .accept)
  }

  @Test("R3: failures that a ledger dates into the future count as of now, and those of long ago not at all")
  func failureTimes() {
    let token = SimulationCryptography(seed: 1).sha256([1].span)
    func wait(_ ages: [Int64]) -> Duration? {
      let now = moment(.zero)
      let failures = ages.map {
        LedgerFailure(token: token, kiosk: "Hall A", time: now.wall.advanced(by: .seconds(-$0)))
      }
      var desk = desk(DeskSettings(), failures: failures)
      _ = desk.admit(id(1), peer: nil, now: now)
      let visitor = Visitor(name: "Ada", token: token, request: KioskScene.request(1))
      for case .deliver(.turnedAway(.tooManyAttempts, let wait), _) in desk.handle(
        .enter(visitor), from: id(1), now: now)
      {
        return wait
      }
      return nil
    }
    #expect(wait([-999_999, -5, 0]) == .seconds(5))
    #expect(wait([2, 2, 2]) == .seconds(3))
    #expect(wait([6, 6, 6]) == nil)
    #expect(wait([899, 898, 3]) == .seconds(2))
    #expect(wait([900, 898, 3]) == nil)
    #expect(wait(Array(repeating: 0, count: 500)) == .seconds(300))
    #expect(wait([.max, .min + 1, 1]) == nil)
  }

  @Test("R3: a delay doubles with each failure, up to its longest")
  func doubling() {
    let policy = DeskSettings().tokenDelay
    let delays = [0, 2, 3, 4, 5, 8, 9, 10, 1000].map(policy.delay(afterFailures:))
    #expect(delays == [0, 0, 5, 10, 20, 160, 300, 300, 300].map { .seconds($0) })
  }

  @Test(
    "A request of a session that the desk does not know is ignored; two sessions of one name are a programming error")
  func unknownSessions() async {
    var desk = desk(DeskSettings())
    let actions = desk.handle(.renewPIN, from: id(9), now: moment(.zero))
    #expect(actions.isEmpty)
    await #expect(processExitsWith: .failure) {
      var desk = KioskDesk(
        profile: KioskProfile(event: "", kiosk: "", gate: "", credential: [], authenticators: []),
        cryptography: FakeCryptography(), now: moment(.zero))
      _ = desk.admit(id(1), peer: nil, now: moment(.zero))
      _ = desk.admit(id(1), peer: nil, now: moment(.zero))
    }
  }

  private func desk(
    _ settings: DeskSettings, failures: [LedgerFailure] = []
  ) -> KioskDesk<SimulationCryptography> {
    let event = SimulationEvent(cryptography: SimulationCryptography(seed: 1))
    return KioskDesk(
      profile: event.kiosk("Hall A").profile, settings: settings, failures: failures, cryptography: event.cryptography,
      now: moment(.zero))
  }
}

private func id(_ number: UInt8) -> SessionID {
  SessionID(Bytes16([UInt8](repeating: number, count: 16))!)
}

private func moment(_ time: Duration) -> Moment {
  Moment(wall: WallTime(secondsSince1970: 1_800_000_000), monotonic: MonotonicTime(sinceStart: .seconds(50) + time))
}

extension [DeskAction] {
  fileprivate var displaced: [SessionID] {
    compactMap { if case .deliver(.displaced, let session) = $0 { session } else { nil } }
  }
}
