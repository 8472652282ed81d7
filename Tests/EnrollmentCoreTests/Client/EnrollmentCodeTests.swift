internal import CheckInCore
internal import EnrollmentCore
internal import TestSupport
internal import Testing

/// The client's state machine while the phone number is proved.
@Suite struct EnrollmentCodeTests {
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
}
