internal import CheckInCore
internal import EnrollmentCore
internal import TestSupport
internal import Testing

/// Every arrow of the client's state machine.
@Suite struct EnrollmentSessionTests {
  private let picture = [UInt8](repeating: 5, count: 100_000)

  @Test("The whole way, screen by screen")
  func story() throws {
    let rig = ClientRig()
    #expect(rig.screen == .phone)
    rig.put(.sendSMS(ClientRig.phone))
    #expect(rig.request?.operation == .sendCode && rig.screen == .waiting(.sendCode) && rig.timers == [.answer])
    rig.answer(.done)
    #expect(rig.screen == .code(phone: "+46701234567", entered: 0))
    rig.type("471")
    #expect(rig.screen == .code(phone: "+46701234567", entered: 3) && rig.request == nil)
    // The fourth digit sends it by itself.
    rig.type("1")
    #expect(rig.screen == .waiting(.register))
    guard case .register(_, "+46701234567", let code)? = rig.request else { throw RigFailure(outcome: "no request") }
    #expect(code.matches(FourDigits("4711")!))
    rig.answer(.done) {
      $0.url = "enroll:/container/1"
      $0.token = ClientRig.token
    }
    guard case .fetchContainer("enroll:/container/1")? = rig.request else { throw RigFailure(outcome: "no fetch") }
    rig.answer(.done) { $0.container = [1, 2, 3] }
    guard
      case .saveContainer([1, 2, 3], let token)? = rig.actions.first(where: {
        if case .saveContainer = $0 { true } else { false }
      })
    else { throw RigFailure(outcome: "not kept") }
    #expect(token.matches(ClientRig.token))
    #expect(rig.request?.operation == .status)
    rig.status(.passportNumber)
    #expect(rig.screen == .passportNumber)
    rig.put(.passportNumber(PassportNumber("AB1234567")!))
    #expect(rig.request?.operation == .passportNumber)
    rig.status(.passportPhoto)
    // It asks again, as after each step.
    #expect(rig.request?.operation == .status)
    rig.status(.passportPhoto)
    #expect(rig.screen == .camera(.passport, reason: nil) && rig.asksPicture == .passport)
    try upload(rig, .passport)
    #expect(rig.timers == [.processing])
    rig.put(.timerFired(.processing))
    #expect(rig.request?.operation == .status && rig.screen == .processing)
    rig.status(.processing)
    rig.put(.timerFired(.processing))
    rig.status(.selfie)
    #expect(rig.asksPicture == .selfie)
    try upload(rig, .selfie)
    rig.put(.timerFired(.processing))
    rig.status(.done)
    #expect(rig.screen == .choosePIN(entered: 0, again: false))
    rig.type("2580")
    #expect(rig.screen == .choosePIN(entered: 0, again: true))
    rig.type("2580")
    guard case .seal(let pin)? = rig.actions.last else { throw RigFailure(outcome: "not sealed") }
    #expect(pin.matches(FourDigits("2580")!))
    rig.put(.token(ClientRig.token))
    guard case .logIn(let sent)? = rig.request else { throw RigFailure(outcome: "no log-in") }
    #expect(sent.matches(ClientRig.token))
    rig.answer(.done) {
      $0.status = .done
      $0.name = "Ada"
    }
    #expect(rig.screen == .account(name: "Ada", status: .done))
    #expect(rig.outcome == .loggedIn(name: "Ada") && rig.isEnded)
  }

  /// Sends the picture in pieces, until the server has it and looks at it.
  private func upload(_ rig: ClientRig, _ kind: PictureKind, from start: Int = 0) throws {
    rig.put(.picture(picture))
    guard case .resume(kind, let upload)? = rig.request else { throw RigFailure(outcome: "no question") }
    #expect(upload.size == 100_000)
    rig.answer(.done) { $0.offset = UInt64(start) }
    var offset = start
    while true {
      guard case .upload(kind, upload, UInt64(offset), let chunk)? = rig.request else {
        throw RigFailure(outcome: "no piece at \(offset)")
      }
      #expect(chunk.count == min(32_768, 100_000 - offset))
      #expect(rig.screen == .uploading(kind, sent: UInt64(offset), of: 100_000))
      offset += chunk.count
      if offset == 100_000 { break }
      rig.answer(.done) { $0.offset = UInt64(offset) }
    }
    rig.status(.processing)
    #expect(rig.request?.operation == .status)
    rig.status(.processing)
  }

  @Test("The code from the message needs no typing")
  func autofill() {
    let rig = ClientRig(.codeSent(phone: "+46701234567"))
    rig.put(.codeFromMessage(FourDigits("0042")!))
    #expect(rig.request?.operation == .register)
  }

  @Test("A digit can be taken back, and what is none changes nothing")
  func backspace() {
    let rig = ClientRig(.codeSent(phone: "+46701234567"))
    rig.put([.digit(1), .digit(2), .backspace])
    #expect(rig.screen == .code(phone: "+46701234567", entered: 1))
    rig.put([.backspace, .backspace, .digit(10)])
    #expect(rig.screen == .code(phone: "+46701234567", entered: 0))
  }

  @Test("No answer to the code: “connection error, send again?”, and yes sends the same request")
  func sendAgain() throws {
    let rig = ClientRig(.codeSent(phone: "+46701234567"))
    rig.type("4711")
    guard case .register(let first, _, _)? = rig.request else { throw RigFailure(outcome: "no request") }
    rig.put(.timerFired(.answer))
    #expect(rig.question == .sendAgain && rig.events == [.timedOut(.register)])
    #expect(rig.actions.contains { if case .abandonRequest = $0 { true } else { false } })
    rig.put(.dialog(true))
    guard case .register(first, _, _)? = rig.request else { throw RigFailure(outcome: "another request") }
    rig.put(.failed(.connection))
    #expect(rig.question == .sendAgain)
    rig.put(.dialog(false))
    #expect(rig.screen == .code(phone: "+46701234567", entered: 0))
  }

  @Test(
    "No answer to anything else: “connection problem, try again?”; yes asks the same, no stops and can go on later",
    arguments: ["status", "number", "log-in", "fetch", "sms"])
  func tryAgain(what: String) {
    let rig: ClientRig
    switch what {
    case "number":
      rig = ClientRig(.enrolled)
      rig.status(.passportNumber)
      rig.put(.passportNumber(PassportNumber("AB1234567")!))
    case "log-in":
      rig = ClientRig(.sealed)
      rig.type("2580")
      rig.put(.token(ClientRig.token))
    case "fetch": rig = ClientRig(.granted(url: "enroll:/container/1", token: ClientRig.token))
    case "sms":
      rig = ClientRig()
      rig.put(.sendSMS(ClientRig.phone))
    default: rig = ClientRig(.enrolled)
    }
    let operation = rig.request?.operation
    rig.put(.failed(.connection))
    #expect(rig.question == .tryAgain)
    rig.put(.dialog(true))
    #expect(rig.request?.operation == operation && operation != nil)
    rig.put(.timerFired(.answer))
    rig.put(.dialog(false))
    #expect(rig.outcome == .stopped)
  }

  @Test(
    "A lost upload asks where the server has it, and goes on from there",
    arguments: [0, 32_768, 65_536, 99_999, 100_000])
  func resumes(offset: Int) throws {
    let rig = ClientRig(.enrolled)
    rig.status(.passportPhoto)
    rig.put(.picture(picture))
    rig.answer(.done) { $0.offset = 0 }
    rig.put(.failed(.connection))
    #expect(rig.question == .tryAgain)
    rig.put(.dialog(true))
    #expect(rig.request?.operation == .resume)
    rig.answer(.done) { $0.offset = UInt64(offset) }
    guard case .upload(.passport, _, UInt64(offset), let chunk)? = rig.request else {
      throw RigFailure(outcome: "no piece")
    }
    #expect(chunk.count == min(32_768, 100_000 - offset))
  }

  @Test("A server that has another part is asked again, three times; then the person is")
  func rewinds() {
    let rig = ClientRig(.enrolled)
    rig.status(.passportPhoto)
    rig.put(.picture(picture))
    for _ in 0..<3 {
      rig.answer(.done) { $0.offset = 0 }
      rig.answer(.wrongOffset) { $0.offset = 7 }
      #expect(rig.request?.operation == .resume)
    }
    rig.answer(.done) { $0.offset = 0 }
    rig.answer(.damaged)
    #expect(rig.question == .tryAgain)
  }

  @Test("A server that stands still or runs ahead breaks the protocol", arguments: [0, 5, 32_769, 100_000, UInt64.max])
  func standsStill(offset: UInt64) {
    let rig = ClientRig(.enrolled)
    rig.status(.passportPhoto)
    rig.put(.picture(picture))
    rig.answer(.done) { $0.offset = 0 }
    rig.answer(.done) { $0.offset = offset }
    #expect(rig.outcome == .fault(.malformed))
  }

  @Test(
    "“Too large” and “no picture” are their own messages, here and from the server",
    arguments: [EnrollmentResult.tooLarge, .notAPicture])
  func badPicture(why: EnrollmentResult) {
    let rig = ClientRig(.enrolled)
    rig.status(.selfie)
    rig.put(.pictureRefused(why))
    #expect(rig.question == .picture(why))
    rig.put(.dialog(true))
    #expect(rig.asksPicture == .selfie)
    rig.put(.picture(picture))
    rig.answer(why)
    #expect(rig.question == .picture(why))
    rig.put(.dialog(true))
    rig.put(.picture([UInt8](repeating: 0, count: 10 * 1_048_576 + 1)))
    #expect(rig.question == .picture(.tooLarge) && rig.request == nil, "nothing goes out")
  }

  @Test("A rejection leads to the camera with its reason", arguments: [EnrollmentStatus.passportPhoto, .selfie])
  func rejected(status: EnrollmentStatus) {
    let rig = ClientRig(.enrolled)
    rig.status(.processing)
    rig.put(.timerFired(.processing))
    rig.status(status, reason: "It is blurred.")
    #expect(rig.screen == .camera(status == .selfie ? .selfie : .passport, reason: "It is blurred."))
  }

  @Test("223 has a cap: then the person is asked, and can go on later")
  func cap() {
    let rig = ClientRig(.enrolled)
    var checks = 0
    while rig.question == nil {
      rig.status(.processing)
      checks += 1
      if rig.question == nil { rig.put(.timerFired(.processing)) }
      #expect(checks <= 30)
    }
    #expect(checks == 30 && rig.question == .takesLonger)
    rig.put(.dialog(true))
    rig.status(.processing)
    #expect(rig.timers == [.processing])
    rig.put(.cancel)
    #expect(rig.outcome == .stopped)
  }

  @Test(
    "An unknown status is shown with its number and reported, and nothing is asked again",
    arguments: [1, 221, 229, UInt64.max])
  func unknown(number: UInt64) {
    let rig = ClientRig(.enrolled)
    let status = EnrollmentStatus(rawValue: number)
    rig.status(status)
    #expect(rig.screen == .unknownStatus(status) && rig.outcome == .unknownStatus(status))
    #expect(rig.events.last == .unknownStatus(status) && rig.request == nil && rig.timers.isEmpty)
    rig.put(.timerFired(.processing))
    #expect(rig.actions.isEmpty)
  }

  @Test("A wrong code, a dead one, and too many messages are said")
  func codes() {
    let rig = ClientRig(.codeSent(phone: "+46701234567"))
    rig.type("1111")
    rig.answer(.wrongCode) { $0.attemptsLeft = 2 }
    #expect(rig.question == .wrongCode(attemptsLeft: 2))
    rig.put(.dialog(true))
    #expect(rig.screen == .code(phone: "+46701234567", entered: 0))
    for result in [EnrollmentResult.noCode, .codeExpired] {
      rig.type("1111")
      rig.answer(result)
      #expect(rig.question == .newCode(result))
      rig.put(.dialog(true))
      #expect(rig.request?.operation == .sendCode)
      rig.answer(.wait) { $0.retryAfter = .seconds(20) }
      #expect(rig.question == .wait(.seconds(20)))
      rig.put(.dialog(true))
      rig.answer(.done)
    }
    rig.put(.resendSMS)
    #expect(rig.request?.operation == .sendCode)
    rig.answer(.smsFailed)
    #expect(rig.question == .serverProblem(.smsFailed))
    rig.put(.dialog(true))
    rig.answer(.invalid)
    #expect(rig.question == .invalid)
    rig.put(.dialog(true))
    #expect(rig.screen == .phone)
  }

  @Test(
    "A container that is gone, or replaced, means to begin again: all is forgotten, or nothing",
    arguments: [EnrollmentResult.gone, .usePersonal, .notAllowed])
  func gone(result: EnrollmentResult) {
    for yes in [true, false] {
      let rig = ClientRig(.granted(url: "enroll:/container/1", token: ClientRig.token))
      rig.answer(result)
      #expect(rig.question == .registerAgain(result))
      rig.put(.dialog(yes))
      #expect(rig.actions.contains { if case .forget = $0 { true } else { false } } == yes)
      #expect(yes ? rig.screen == .phone : rig.outcome == .stopped)
    }
    let rig = ClientRig(.enrolled)
    rig.answer(.replaced)
    #expect(rig.question == .registerAgain(.replaced))
  }

  @Test("Log-in: a wrong PIN says how many are left, biometrics release the same token, a lock is the end")
  func login() {
    let rig = ClientRig(.sealed)
    #expect(rig.screen == .login(entered: 0) && rig.request == nil)
    rig.type("1111")
    guard case .unseal? = rig.actions.last else { return #expect(Bool(false), "not unsealed") }
    rig.put(.token(ClientRig.token))
    rig.answer(.wrongPIN) { $0.attemptsLeft = 4 }
    #expect(rig.question == .wrongPIN(attemptsLeft: 4))
    rig.put(.dialog(true))
    rig.put(.useBiometrics)
    guard case .askBiometrics? = rig.actions.last else { return #expect(Bool(false), "not asked") }
    rig.put(.biometricsFailed)
    #expect(rig.question == .usePIN)
    rig.put(.dialog(true))
    rig.put(.useBiometrics)
    rig.put(.token(ClientRig.token))
    rig.answer(.locked)
    #expect(rig.screen == .locked && rig.outcome == .locked)
  }

  @Test("A container that does not open with the token is a wrong PIN")
  func containerLocked() {
    let rig = ClientRig(.sealed)
    rig.type("1111")
    rig.put(.token(ClientRig.token))
    rig.put(.failed(.containerLocked))
    #expect(rig.question == .wrongPIN(attemptsLeft: nil))
  }

  @Test("Two PINs that differ are chosen again")
  func differentPINs() {
    let rig = ClientRig(.enrolled)
    rig.status(.done)
    rig.type("25801111")
    #expect(rig.question == .differentPINs)
    rig.put(.dialog(true))
    #expect(rig.screen == .choosePIN(entered: 0, again: false))
  }

  @Test("A refused certificate, and a server that breaks the protocol, are the end")
  func ends() {
    var rig = ClientRig(.enrolled)
    rig.put(.failed(.certificateRefused))
    #expect(rig.outcome == .certificateRefused)
    rig = ClientRig(.enrolled)
    rig.put(.failed(.fault(.notAuthentic)))
    #expect(rig.outcome == .fault(.notAuthentic))
    rig = ClientRig(.enrolled)
    rig.answer(.done)
    #expect(rig.outcome == .fault(.malformed), "an answer without a status")
  }

  @Test("Stopped at any step and started again, it goes on from what is kept")
  func killed() throws {
    // Each input of the story in turn; after each, another session starts from what was kept last.
    var kept = EnrollmentProgress.fresh
    let rig = ClientRig()
    func step(_ act: () -> Void) -> EnrollmentRequest? {
      act()
      if let saved = rig.saved { kept = saved }
      return ClientRig(kept).request
    }
    #expect(step { rig.put(.sendSMS(ClientRig.phone)) } == nil)
    #expect(ClientRig(kept).screen == .phone)
    #expect(step { rig.answer(.done) } == nil)
    #expect(ClientRig(kept).screen == .code(phone: "+46701234567", entered: 0))
    let again = step { rig.type("4711") }
    guard case .register(let first, _, _)? = rig.request, case .register(first, _, let code)? = again else {
      throw RigFailure(outcome: "not the same request")
    }
    #expect(code.matches(FourDigits("4711")!))
    guard
      case .fetchContainer("enroll:/container/1")? = step({
        rig.answer(.done) {
          $0.url = "enroll:/container/1"
          $0.token = ClientRig.token
        }
      })
    else { throw RigFailure(outcome: "no fetch") }
    #expect(step { rig.answer(.done) { $0.container = [1] } }?.operation == .status)
    #expect(step { rig.status(.passportNumber) }?.operation == .status)
    #expect(step { rig.put(.passportNumber(PassportNumber("AB1234567")!)) }?.operation == .status)
    #expect(step { rig.status(.passportPhoto) }?.operation == .status)
    #expect(step { rig.status(.passportPhoto) }?.operation == .status)
    #expect(step { rig.put(.picture([1, 2, 3])) }?.operation == .status)
    #expect(step { rig.answer(.done) { $0.offset = 0 } }?.operation == .status)
    #expect(step { rig.status(.processing) }?.operation == .status)
    #expect(step { rig.status(.done) }?.operation == .status)
    #expect(step { rig.type("25802580") } == nil)
    #expect(ClientRig(kept).screen == .login(entered: 0))
  }

  @Test("An input that has no meaning where the session is does nothing")
  func meaningless() {
    let rig = ClientRig()
    for input in [
      .digit(1), .backspace, .picture([1]), .token(ClientRig.token), .dialog(true), .useBiometrics, .biometricsFailed,
      .timerFired(.answer), .timerFired(.processing), .answered(EnrollmentAnswer(.done)), .failed(.connection),
      .codeFromMessage(FourDigits("1111")!), .pictureRefused(.tooLarge), .resendSMS,
    ] as [EnrollmentInput] {
      rig.put(input)
      #expect(rig.actions.isEmpty, "\(input)")
    }
  }

  @Test("Starting twice, or anything before the start, is our own caller's mistake")
  func misuse() async {
    await #expect(processExitsWith: .failure) {
      let rig = ClientRig()
      rig.put(.start(.fresh))
    }
    await #expect(processExitsWith: .failure) {
      var session = EnrollmentSession(cryptography: FakeCryptography())
      _ = session.handle(.cancel)
    }
  }
}
