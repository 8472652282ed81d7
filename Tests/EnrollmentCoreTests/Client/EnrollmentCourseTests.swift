internal import CheckInCore
internal import EnrollmentCore
internal import TestSupport
internal import Testing

/// The client's state machine from the first screen to the last, and where it goes on after a stop.
@Suite struct EnrollmentCourseTests {
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

  @Test(
    "A question says what happened once, and asks",
    arguments: [
      (EnrollmentDialog.serverProblem(.internal), "The server has a problem. Try again?"),
      (.serverProblem(.smsFailed), "The message could not be sent. Try again?"),
      (.newCode(.codeExpired), "The code has expired. Send a new SMS?"),
      (.registerAgain(.replaced), "This phone number was registered anew elsewhere. Begin again?"),
      (.picture(.tooLarge), "The picture is too large. Take another picture?"),
    ])
  func questions(dialog: EnrollmentDialog, text: String) {
    #expect(dialog.text == text)
  }
}
