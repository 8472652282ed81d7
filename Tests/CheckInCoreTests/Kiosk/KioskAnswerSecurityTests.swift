internal import CheckInCore
internal import TestSupport
internal import Testing

/// The rules of security.md about answers: stored first, and the same for ever.
@Suite struct KioskAnswerSecurityTests {
  @Test("R18: the same request gets the same answer, also after a lost answer and a restart")
  func sameAnswer() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada", request: 1)
    try ada.confirm()
    scene.world.settle()
    let answer = try #require(try ada.answer())
    scene.world.advance(by: .seconds(60))
    scene.kiosk.crash()
    let again = scene.connect("Ada")
    try again.present(request: KioskScene.request(1))
    scene.world.settle()
    #expect(try again.answer() == answer)
    #expect(scene.ledger.entries.count == 1)
    #expect(scene.kiosk.events.count { $0.name == "checked_in" } == 1)
  }

  @Test("R18: a new request of someone who is in says when and at which gate")
  func alreadyAdmitted() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada", request: 1)
    try ada.confirm()
    scene.world.settle()
    let first = scene.world.now.wall
    scene.world.advance(by: .seconds(100))
    let again = scene.connect("Ada", serial: "2")
    try again.present(request: KioskScene.request(2))
    scene.world.settle()
    let answer = Answer(.alreadyAdmitted, admittedAt: first, gate: "North")
    #expect(try again.answer() == answer)
    #expect(scene.kiosk.view == .outcome(KioskOutcome(name: "Ada", answer: answer)))
  }

  @Test("R22: nobody is told before the ledger has it, and what is durable before a crash is told after it")
  func durableFirst() throws {
    let scene = KioskScene()
    scene.kiosk.latencies.storing = { .milliseconds(100) }
    scene.kiosk.latencies.answering = { .milliseconds(100) }
    let ada = scene.connect("Ada")
    try ada.present(request: KioskScene.request(1))
    scene.world.advance(by: .milliseconds(200))
    _ = try ada.readAll()
    try ada.confirm()
    scene.world.advance(by: .milliseconds(99))
    #expect(scene.ledger.admissions.isEmpty)
    #expect(ada.inbox.isEmpty)
    scene.world.advance(by: .milliseconds(50))
    #expect(scene.ledger.admissions["attendee-Ada"] != nil)
    #expect(ada.inbox.isEmpty)
    scene.kiosk.crash()
    scene.world.settle()
    #expect(ada.isClosed)
    let again = scene.connect("Ada")
    try again.present(request: KioskScene.request(1))
    scene.world.advance(by: .milliseconds(200))
    #expect(try again.answer()?.reason == .admitted)
    #expect(scene.ledger.entries.count == 1)
  }
}
