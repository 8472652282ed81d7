internal import CheckInCore
internal import EnrollmentCore
internal import TestSupport
internal import Testing

/// The client's state machine when no answer comes.
@Suite struct EnrollmentLossTests {
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

  /// A session at each place where it waits for an answer.
  private func waiting(_ place: String) throws -> ClientRig {
    let rig: ClientRig
    switch place {
    case "sms":
      rig = ClientRig()
      rig.put(.sendSMS(ClientRig.phone))
    case "register":
      rig = ClientRig(.codeSent(phone: "+46701234567"))
      rig.type("4711")
    case "fetch": rig = ClientRig(.granted(url: "enroll:/container/1", token: ClientRig.token))
    case "number":
      rig = ClientRig(.enrolled)
      rig.status(.passportNumber)
      rig.put(.passportNumber(PassportNumber("AB1234567")!))
    case "resume", "upload":
      rig = ClientRig(.enrolled)
      rig.status(.selfie)
      rig.put(.picture([1, 2, 3]))
      if place == "upload" { rig.answer(.done) { $0.offset = 0 } }
    case "log-in":
      rig = ClientRig(.sealed)
      rig.type("2580")
      rig.put(.token(ClientRig.token))
    default: rig = ClientRig(.enrolled)
    }
    #expect(rig.request != nil)
    return rig
  }

  private static let places = ["sms", "register", "fetch", "status", "number", "resume", "upload", "log-in"]

  @Test("A server with a problem: the person is asked, and yes asks the same again", arguments: places)
  func serverProblem(place: String) throws {
    let rig = try waiting(place)
    let operation = rig.request?.operation
    rig.answer(.internal)
    #expect(rig.question == .serverProblem(.internal))
    rig.put(.dialog(true))
    // A picture goes on from where the server has it.
    #expect(rig.request?.operation == (place == "upload" ? .resume : operation))
  }

  @Test("A locked account is the end wherever it is heard of", arguments: places)
  func locked(place: String) throws {
    let rig = try waiting(place)
    rig.answer(.locked)
    #expect(rig.screen == .locked && rig.outcome == .locked)
  }

  @Test("An account that has a PIN wants it first, wherever that is heard of", arguments: places)
  func logInFirst(place: String) throws {
    let rig = try waiting(place)
    rig.answer(.logInFirst)
    #expect(rig.screen == .login(entered: 0) && rig.request == nil)
  }

  @Test("A server that is at another step is asked where it is", arguments: ["number", "resume", "upload"])
  func anotherStep(place: String) throws {
    let rig = try waiting(place)
    rig.answer(.notNow)
    #expect(rig.request?.operation == .status)
  }

  @Test("A value that the server does not take is typed anew", arguments: ["sms", "register", "number"])
  func invalid(place: String) throws {
    let rig = try waiting(place)
    rig.answer(.invalid)
    #expect(rig.question == .invalid)
    rig.put(.dialog(true))
    #expect(rig.screen == (place == "number" ? .passportNumber : .phone))
  }

  @Test(
    "An answer without what it must hold breaks the protocol",
    arguments: ["register", "fetch", "status", "resume", "upload", "log-in"])
  func incomplete(place: String) throws {
    let rig = try waiting(place)
    rig.answer(.done)
    #expect(rig.outcome == .fault(.malformed))
  }

  @Test("Closing stops at every place, and drops what is under way", arguments: places)
  func cancelled(place: String) throws {
    let rig = try waiting(place)
    rig.put(.cancel)
    #expect(rig.outcome == .stopped && rig.isEnded)
    #expect(rig.actions.contains { if case .abandonRequest = $0 { true } else { false } })
  }
}
