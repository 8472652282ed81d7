internal import CheckInCore
internal import EnrollmentCore
internal import TestSupport
internal import Testing

/// Limits on messages that do not depend on the number, and what a clock that goes back does.
@Suite struct MessageLimitTests {
  /// Asks for a message to the next of many numbers.
  private func ask(_ rig: RegisterRig, _ number: Int, from origin: Digest?) throws -> EnrollmentAnswer? {
    switch try rig.install(.sendCode(phone: "+4670\(1_000_000 + number)"), from: origin) {
    case .sendCode: return nil
    case .answer(let answer): return answer
    default: throw RigFailure(outcome: "something else")
    }
  }

  @Test("One address gets so many messages a day, to whatever numbers, and others go on")
  func perPeer() throws {
    var rules = EnrollmentRules()
    rules.smsPeerLimit = 3
    let rig = RegisterRig(rules: rules)
    let (one, two) = (rig.picture(1), rig.picture(2))
    for number in 0..<3 {
      #expect(try ask(rig, number, from: one) == nil)
      rig.wait(10)
    }
    let answer = try #require(try ask(rig, 3, from: one))
    #expect(answer.result == .wait && answer.retryAfter == .seconds(86_400 - 30))
    #expect(try ask(rig, 3, from: two) == nil)
    #expect(try ask(rig, 4, from: nil) == nil, "a place without an address")
    // One that could not be sent is not counted.
    try rig.register.withdrawCode(of: "+46701000000", from: one, in: &rig.tables)
    #expect(try ask(rig, 5, from: one) == nil)
    rig.wait(86_400)
    #expect(try ask(rig, 6, from: one) == nil)
  }

  @Test("There is an end to messages altogether")
  func total() throws {
    var rules = EnrollmentRules()
    rules.smsTotalLimit = 4
    let rig = RegisterRig(rules: rules)
    for number in 0..<4 { #expect(try ask(rig, number, from: rig.picture(UInt8(number))) == nil) }
    #expect(try ask(rig, 4, from: rig.picture(9))?.result == .wait)
    #expect(try ask(rig, 4, from: nil)?.result == .wait)
    rig.wait(86_401)
    #expect(try ask(rig, 4, from: nil) == nil)
    #expect(rig.tables.messages.count == 1, "old ones are forgotten")
  }

  @Test("A clock that is set back lets no code and no URL live longer; a minute is forgiven")
  func clockGoesBack() throws {
    let rig = RegisterRig()
    var code = try rig.askForCode()
    rig.wait(-3600)
    #expect(try rig.result(rig.registerWith(code)).result == .codeExpired)
    code = try rig.askForCode()
    rig.wait(-60)
    guard case .issue(let record) = try rig.registerWith(code) else { throw RigFailure(outcome: "not taken") }
    let url = try #require(
      try rig.register.issued(record, container: [1], serial: [9], now: rig.now, in: &rig.tables).url)
    rig.wait(-61)
    #expect(try rig.result(rig.install(.fetchContainer(url: url))).result == .gone)
    rig.wait(1)
    #expect(try rig.result(rig.install(.fetchContainer(url: url))).result == .done)
  }

  @Test("A clock that is set back lets nobody wait for the automatic review until it is where it was")
  func reviewGoesOn() throws {
    let rig = RegisterRig()
    try rig.advance(to: .passportPhoto)
    _ = try rig.register.submitted(.passport, rig.picture(1), account: rig.account, now: rig.now, in: &rig.tables)
    rig.wait(-86_400)
    #expect(try rig.result(rig.personal(.status)).status == .selfie)
  }

  @Test(
    "A rejected picture is not needed any more, nor is any of an account that was replaced; of a strange one nothing is said"
  )
  func neededPictures() throws {
    let rig = RegisterRig(review: ReviewByPeople())
    try rig.enroll()
    _ = try rig.personal(.passportNumber("AB1234567"))
    func needed(_ account: String? = nil) throws -> [Set<Digest>?] {
      var said: [Set<Digest>?] = []
      try rig.register.neededPictures(ofAccount: account ?? rig.account, in: &rig.tables) { said.append($0) }
      return said
    }
    func submit(_ kind: PictureKind, _ number: UInt8, _ verdict: ReviewVerdict) throws {
      _ = try rig.register.submitted(kind, rig.picture(number), account: rig.account, now: rig.now, in: &rig.tables)
      #expect(try needed().first??.contains(rig.picture(number)) == true)
      _ = try rig.register.decide(verdict, account: rig.account, in: &rig.tables)
    }
    try submit(.passport, 1, .rejected(reason: "blurred"))
    #expect(try needed() == [[]])
    try submit(.passport, 2, .accepted)
    try submit(.selfie, 3, .rejected(reason: "blurred"))
    #expect(try needed() == [[rig.picture(2)]])
    try submit(.selfie, 4, .accepted)
    #expect(try needed() == [[rig.picture(2), rig.picture(4)]])
    rig.tables.accounts[rig.account]?.isReplaced = true
    #expect(try needed() == [nil])
    #expect(try needed("nobody").isEmpty)
  }
}
