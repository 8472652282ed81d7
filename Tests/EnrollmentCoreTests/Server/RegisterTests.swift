internal import CheckInCore
internal import EnrollmentCore
internal import TestSupport
internal import Testing

/// The rules of the server, one transaction after the other.
@Suite struct RegisterTests {
  @Test("The whole way: code, container once, passport, 223, selfie, 223, 0, log-in")
  func story() throws {
    let rig = RegisterRig()
    try rig.enroll()
    #expect(try rig.result(rig.personal(.status)).status == .passportNumber)
    #expect(try rig.result(rig.personal(.passportNumber("AB1234567"))).status == .passportPhoto)
    #expect(
      try rig.register.submitted(.passport, rig.picture(1), account: rig.account, now: rig.now, in: &rig.tables).status
        == .processing)
    rig.wait(4)
    #expect(try rig.result(rig.personal(.status)).status == .processing)
    rig.wait(1)
    #expect(try rig.result(rig.personal(.status)).status == .selfie)
    _ = try rig.register.submitted(.selfie, rig.picture(2), account: rig.account, now: rig.now, in: &rig.tables)
    rig.wait(5)
    #expect(try rig.result(rig.personal(.status)).status == .done)
    #expect(try rig.result(rig.personal(.ticket)).result == .notNow, "no PIN was set yet")
    #expect(try rig.result(rig.personal(.logIn(token: rig.token))).name == "Guest 4567")
    #expect(try rig.result(rig.personal(.status)).result == .logInFirst, "another session")
    rig.isLoggedIn = true
    #expect(try rig.result(rig.personal(.status)).status == .done)
    guard case .issueTicket(let account) = try rig.personal(.ticket) else { throw RigFailure(outcome: "no ticket") }
    #expect(account.id == rig.account)
  }

  @Test("Three wrong codes kill the code, and then the right one is worth nothing")
  func wrongCodes() throws {
    let rig = RegisterRig()
    let code = try rig.askForCode()
    for left in [2, 1] as [UInt64] {
      let answer = try rig.result(rig.registerWith(rig.wrongCode))
      #expect(answer.result == .wrongCode && answer.attemptsLeft == left)
    }
    #expect(try rig.result(rig.registerWith(rig.wrongCode)).result == .noCode)
    #expect(try rig.result(rig.registerWith(code)).result == .noCode)
  }

  @Test("A code dies after five minutes, and by being used")
  func codeDies() throws {
    let rig = RegisterRig()
    var code = try rig.askForCode()
    rig.wait(300)
    #expect(try rig.result(rig.registerWith(code)).result == .codeExpired)
    code = try rig.askForCode()
    rig.wait(299)
    guard case .issue = try rig.registerWith(code) else { throw RigFailure(outcome: "not taken") }
    #expect(try rig.result(rig.registerWith(code, request: 2)).result == .noCode, "used")
  }

  @Test("A code works for the client that asked for it, and a newer one kills the older")
  func codeIsBound() throws {
    let rig = RegisterRig()
    let first = try rig.askForCode()
    #expect(try rig.result(rig.registerWith(first, client: rig.picture(99))).result == .noCode)
    rig.wait(30)
    let second = try rig.askForCode()
    #expect(!first.matches(second))
    #expect(try rig.result(rig.registerWith(first)).result == .wrongCode)
    guard case .issue = try rig.registerWith(second) else { throw RigFailure(outcome: "not taken") }
  }

  @Test("A number waits thirty seconds for its next message, and gets five a day")
  func messagesAreLimited() throws {
    let rig = RegisterRig()
    try rig.askForCode()
    rig.wait(10)
    var answer = try rig.result(rig.install(.sendCode(phone: RegisterRig.phone)))
    #expect(answer.result == .wait && answer.retryAfter == .seconds(20))
    for _ in 0..<4 {
      rig.wait(30)
      try rig.askForCode()
    }
    rig.wait(30)
    answer = try rig.result(rig.install(.sendCode(phone: RegisterRig.phone)))
    #expect(answer.result == .wait && answer.retryAfter == .seconds(86_400 - 160))
    rig.wait(86_400)
    try rig.askForCode()
  }

  @Test(
    "What is of no use any more is forgotten: numbers after a day, and a container that nobody fetched with its token")
  func prunes() throws {
    let rig = RegisterRig()
    try rig.grant()
    rig.wait(301)
    _ = try rig.install(.sendCode(phone: "+46709999999"), client: rig.picture(77))
    #expect(rig.tables.registrations.isEmpty && rig.tables.numbers.count == 2)
    rig.wait(86_400)
    _ = try rig.install(.sendCode(phone: "+46708888888"), client: rig.picture(77))
    #expect(Set(rig.tables.numbers.keys) == ["+46709999999", "+46708888888"])
    let fetched = RegisterRig()
    try fetched.enroll()
    fetched.wait(100_000)
    _ = try fetched.install(.sendCode(phone: "+46709999999"), client: fetched.picture(77))
    #expect(fetched.tables.registrations.count == 1, "whose container came stays known")
  }

  @Test("A message that could not be sent is not counted, and its code is worth nothing")
  func withdrawn() throws {
    let rig = RegisterRig()
    let code = try rig.askForCode()
    try rig.register.withdrawCode(of: RegisterRig.phone, in: &rig.tables)
    #expect(try rig.result(rig.registerWith(code)).result == .noCode)
    try rig.askForCode()
  }

  @Test(
    "A phone number that is not E.164 as it is stored is refused", arguments: ["0701234567", "+46 701234567", "", "+1"])
  func badNumbers(number: String) throws {
    #expect(try RegisterRig().result(RegisterRig().install(.sendCode(phone: number))).result == .invalid)
  }

  @Test("The same request again gets the same URL and token; before the container is made it is made once")
  func sameRequest() throws {
    let rig = RegisterRig()
    let code = try rig.askForCode()
    guard case .issue(let record) = try rig.registerWith(code) else { throw RigFailure(outcome: "not taken") }
    // The server was stopped before the container was there.
    guard case .issue(let again) = try rig.registerWith(code) else { throw RigFailure(outcome: "not taken again") }
    #expect(again == record)
    let first = try rig.register.issued(record, container: [1], serial: [9], now: rig.now, in: &rig.tables)
    let second = try rig.register.issued(again, container: [2], serial: [8], now: rig.now, in: &rig.tables)
    let third = try rig.result(rig.registerWith(code))
    #expect(first.url == second.url && first.url == third.url)
    #expect(first.token?.bytes == record.token && third.token?.bytes == record.token)
    #expect(try rig.result(rig.install(.fetchContainer(url: #require(first.url)))).container == [1])
  }

  @Test("The URL works once, for five minutes, and for the client that got it")
  func url() throws {
    var rig = RegisterRig()
    try rig.grant()
    #expect(try rig.result(rig.install(.fetchContainer(url: rig.url), client: rig.picture(99))).result == .gone)
    #expect(try rig.result(rig.install(.fetchContainer(url: rig.url + "0"))).result == .gone)
    #expect(try rig.result(rig.install(.fetchContainer(url: rig.url))).result == .done)
    #expect(try rig.result(rig.install(.fetchContainer(url: rig.url))).result == .gone)
    let record = try #require(rig.tables.registrations[rig.client])
    #expect(record.token.isEmpty && record.container.isEmpty, "the server keeps neither")
    rig = RegisterRig()
    try rig.grant()
    rig.wait(300)
    #expect(try rig.result(rig.install(.fetchContainer(url: rig.url))).result == .gone)
  }

  @Test("Once the container came, the built-in one opens nothing for this client")
  func builtInAfterwards() throws {
    let rig = RegisterRig()
    try rig.enroll()
    rig.wait(600)
    #expect(try rig.result(rig.install(.sendCode(phone: RegisterRig.phone))).result == .usePersonal)
    #expect(try rig.result(rig.registerWith(rig.wrongCode, request: 5)).result == .usePersonal)
  }

  @Test("The built-in container opens the registration only, and a personal one everything but that")
  func doors() throws {
    let rig = RegisterRig()
    let upload = EnrollmentRequest.Upload(digest: rig.picture(1), size: 10)
    let personal: [EnrollmentRequest] = [
      .status, .passportNumber("AB1234567"), .resume(.passport, upload),
      .upload(.passport, upload, offset: 0, chunk: [1]), .logIn(token: SecretBytes([1])), .ticket,
    ]
    for request in personal {
      #expect(try rig.result(rig.install(request)).result == .notAllowed, "\(request.operation)")
    }
    try rig.enroll()
    for request in [.sendCode(phone: RegisterRig.phone), .fetchContainer(url: rig.url)] as [EnrollmentRequest] {
      #expect(try rig.result(rig.personal(request)).result == .notAllowed, "\(request.operation)")
    }
  }

  @Test("Who registers the number again begins anew, and the older certificate is worth nothing")
  func replaced() throws {
    let rig = RegisterRig()
    try rig.advance(to: .done)
    let old = rig.account
    rig.wait(60)
    guard case .sendCode(let code, _) = try rig.install(.sendCode(phone: RegisterRig.phone), client: rig.picture(50)),
      case .issue(let record) = try rig.registerWith(code, request: 9, client: rig.picture(50))
    else { throw RigFailure(outcome: "not registered again") }
    _ = try rig.register.issued(record, container: [7], serial: [7], now: rig.now, in: &rig.tables)
    #expect(try rig.result(rig.personal(.status)).result == .replaced)
    #expect(rig.tables.accounts[old]?.isReplaced == true)
    rig.account = record.account
    #expect(try rig.result(rig.personal(.status, serial: [9])).result == .replaced, "another serial")
    #expect(try rig.result(rig.personal(.status, serial: [7])).status == .passportNumber)
  }

  @Test("Five wrong PINs lock the account; a right one before that forgives; staff can unlock")
  func locks() throws {
    let rig = RegisterRig()
    try rig.advance(to: .done)
    let wrong = SecretBytes([UInt8](repeating: 0, count: 16))
    for left in [4, 3, 2, 1] as [UInt64] {
      let answer = try rig.result(rig.personal(.logIn(token: wrong)))
      #expect(answer.result == .wrongPIN && answer.attemptsLeft == left)
    }
    #expect(try rig.result(rig.personal(.logIn(token: rig.token))).result == .done)
    for _ in 0..<4 { #expect(try rig.result(rig.personal(.logIn(token: wrong))).result == .wrongPIN) }
    #expect(try rig.result(rig.personal(.logIn(token: wrong))).result == .locked)
    #expect(try rig.result(rig.personal(.logIn(token: rig.token))).result == .locked)
    rig.isLoggedIn = true
    #expect(try rig.result(rig.personal(.status)).result == .locked)
    #expect(try rig.register.unlock(account: rig.account, in: &rig.tables) == true)
    #expect(try rig.result(rig.personal(.logIn(token: rig.token))).result == .done)
    #expect(try rig.register.unlock(account: "nobody", in: &rig.tables) == nil)
  }

  @Test("People decide: accepted goes on, rejected leads back to 222 or 227 with the reason")
  func review() throws {
    let rig = RegisterRig(review: ReviewByPeople())
    try rig.enroll()
    _ = try rig.personal(.passportNumber("AB1234567"))
    #expect(try rig.register.decide(.accepted, account: rig.account, in: &rig.tables) == false, "nothing was sent")
    #expect(try rig.register.decide(.accepted, account: "nobody", in: &rig.tables) == nil)
    for (kind, status) in [(PictureKind.passport, EnrollmentStatus.passportPhoto), (.selfie, .selfie)] {
      _ = try rig.register.submitted(kind, rig.picture(1), account: rig.account, now: rig.now, in: &rig.tables)
      rig.wait(86_400)
      #expect(try rig.result(rig.personal(.status)).status == .processing)
      #expect(
        try rig.register.decide(.rejected(reason: "It is blurred."), account: rig.account, in: &rig.tables) == true)
      let answer = try rig.result(rig.personal(.status))
      #expect(answer.status == status && answer.reason == "It is blurred.")
      _ = try rig.register.submitted(kind, rig.picture(3), account: rig.account, now: rig.now, in: &rig.tables)
      _ = try rig.register.decide(.accepted, account: rig.account, name: "Ada Lovelace", in: &rig.tables)
    }
    let answer = try rig.result(rig.personal(.status))
    #expect(answer.status == .done && answer.reason == nil)
    #expect(try rig.result(rig.personal(.logIn(token: rig.token))).name == "Ada Lovelace")
  }

  @Test("A picture is taken at its step, and the one that is being looked at may come again; a large one never")
  func pictures() throws {
    let rig = RegisterRig()
    try rig.advance(to: .passportPhoto)
    let upload = EnrollmentRequest.Upload(digest: rig.picture(1), size: 10)
    let large = EnrollmentRequest.Upload(digest: rig.picture(1), size: 10 * 1_048_576 + 1)
    #expect(try rig.result(rig.personal(.resume(.passport, large))).result == .tooLarge)
    #expect(try rig.result(rig.personal(.upload(.passport, large, offset: 0, chunk: [1]))).result == .tooLarge)
    #expect(try rig.result(rig.personal(.resume(.selfie, upload))).result == .notNow)
    guard case .sayOffset = try rig.personal(.resume(.passport, upload)) else { throw RigFailure(outcome: "refused") }
    _ = try rig.register.submitted(.passport, upload.digest, account: rig.account, now: rig.now, in: &rig.tables)
    guard case .sayOffset = try rig.personal(.resume(.passport, upload)) else { throw RigFailure(outcome: "refused") }
    let other = EnrollmentRequest.Upload(digest: rig.picture(2), size: 10)
    #expect(try rig.result(rig.personal(.resume(.passport, other))).result == .notNow)
  }

  @Test("The passport's number is taken once, the same again is no mistake, and what is none is refused")
  func passportNumbers() throws {
    let rig = RegisterRig()
    try rig.enroll()
    for bad in ["", "12", "ab1234567", "AB 123456", "ÅB123456", "ABCDEFGH"] {
      #expect(try rig.result(rig.personal(.passportNumber(bad))).result == .invalid, "\(bad)")
    }
    #expect(try rig.result(rig.personal(.passportNumber("AB1234567"))).status == .passportPhoto)
    #expect(try rig.result(rig.personal(.passportNumber("AB1234567"))).status == .passportPhoto)
    #expect(try rig.result(rig.personal(.passportNumber("ZZ1234567"))).result == .notNow)
  }
}
