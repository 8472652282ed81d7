internal import CheckInCore
internal import ExampleSupport
internal import OpenSSLCryptography
internal import TestSupport
internal import Testing

@Suite("Who is not let in", .serialized)
struct RefusalTests {
  @Test("R16: a forged ticket gets no answer, and one line with a hash of it", .bounded, arguments: Place.allCases)
  func forged(place: Place) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let forged = try event.forgedTicket()
      try await ChildProcess.kiosk(event, listen: [place.url(in: folder)]) { kiosk in
        let end = try await ChildProcess.visit(event, forged, at: kiosk.endpoint())
        #expect(end.exit == .status(2))
        #expect(end.events("no_answer").first?["reason"] == "silence")
        #expect(end.events("result").isEmpty)

        let line = try await kiosk.event("invalid_token")
        #expect(line["reason"] == "forged")
        let token = try event.read(forged).token
        let hash = OpenSSLCryptography().sha256(token.span).bytes
        let prefix = try #require(line["token_sha256"])
        #expect(prefix.count >= 8)
        #expect(hexadecimal(hash).hasPrefix(prefix))
        #expect(kiosk.events("initial_request").isEmpty)
        #expect(kiosk.events("check_in_failed").isEmpty)
      }
    }
  }

  struct Case: CustomTestStringConvertible {
    let reason: String
    let ticket: @Sendable (TestEvent) throws -> String

    var testDescription: String { reason }
  }

  static let cases = [
    Case(reason: "expired") { try $0.ticket(from: -9000, until: -3600) },
    Case(reason: "not_yet_valid") { try $0.ticket(from: 3600, until: 9000) },
    Case(reason: "wrong_gate") { try $0.ticket(gates: ["North", "South"]) },
  ]

  @Test("A genuine ticket that is not good here and now is refused with its reason", .bounded, arguments: cases)
  func refused(_ refusal: Case) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ticket = try refusal.ticket(event)
      try await ChildProcess.kiosk(event) { kiosk in
        let end = try await ChildProcess.visit(event, ticket, at: kiosk.endpoint())
        #expect(end.exit == .status(1))
        #expect(end.reason == refusal.reason)
        #expect(end.events("pin_received").isEmpty)
        let failed = try await kiosk.event("check_in_failed")
        #expect(failed["reason"] == refusal.reason)
        #expect(failed["attendee"] == "ada")
      }
    }
  }

  @Test("At its own gate a ticket is good", .bounded)
  func rightGate() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ticket = try event.ticket(gates: ["North", "South"])
      try await ChildProcess.kiosk(event, ["--gate", "South"]) { kiosk in
        let end = try await ChildProcess.visit(event, ticket, at: kiosk.endpoint())
        #expect(end.exit == .status(0))
        #expect(end.events("kiosk").first?["gate"] == "South")
      }
    }
  }

  @Test("R14: a kiosk that accepts the PIN alone sends a phone with biometrics to the keypad", .bounded)
  func keypadOnly() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await ChildProcess.kiosk(event, ["--authenticators", "pin"]) { kiosk in
        let end = try await ChildProcess.attendee(
          event, ada, at: kiosk.endpoint(), ["--authenticator", "mock-biometric", "--biometric", "accept"]
        ) { phone in
          kiosk.type(try await phone.pinOnScreen() + "\n")
          return try await phone.finished()
        }
        #expect(end.exit == .status(0))
        #expect(end.events("confirmed").isEmpty)
      }
    }
  }

  @Test("R14: a kiosk that accepts biometrics alone does not get the ticket of a phone without them", .bounded)
  func biometricsOnly() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await ChildProcess.kiosk(event, ["--authenticators", "mock-biometric"]) { kiosk in
        let end = try await ChildProcess.visit(event, ada, at: kiosk.endpoint(), ["--authenticator", "pin"])
        #expect(end.exit == .status(76))
        #expect(end.events("kiosk_refused").first?["reason"] == "no_common_authenticator")
        try await kiosk.event("session_ended")
        #expect(kiosk.events("initial_request").isEmpty)
      }
    }
  }

  @Test(
    "R15: who declines, fails or cannot use biometrics types the PIN", .bounded, arguments: ["reject", "unavailable"])
  func toTheKeypad(behaviour: String) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await ChildProcess.kiosk(event) { kiosk in
        let end = try await ChildProcess.attendee(event, ada, at: kiosk.endpoint(), ["--biometric", behaviour]) {
          phone in
          try await phone.event("keypad")
          kiosk.type(try await phone.pinOnScreen() + "\n")
          return try await phone.finished()
        }
        #expect(end.exit == .status(0))
      }
    }
  }

  @Test("A phone that is asked takes its person's word", .bounded, arguments: [("y", 0), ("cancel", 1)])
  func asked(answer: String, status: Int32) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await ChildProcess.kiosk(event) { kiosk in
        let end = try await ChildProcess.attendee(event, ada, at: kiosk.endpoint(), ["--biometric", "ask"]) { phone in
          let question = try await phone.event("confirm")
          #expect(question["attendee"] == "Ada Lovelace")
          phone.type(answer + "\n")
          return try await phone.finished()
        }
        #expect(end.exit == .status(status))
        #expect(end.reason == (status == 0 ? "admitted" : "cancelled"))
      }
    }
  }

  @Test("R8: a kiosk of another organizer does not get the ticket", .bounded)
  func falseKiosk() async throws {
    try await ProcessFolder.with { folder in
      try await ProcessFolder.with { other in
        let (event, impostor) = (try TestEvent(in: folder), try TestEvent(in: other))
        let ada = try event.ticket()
        try await ChildProcess.kiosk(impostor) { kiosk in
          let end = try await ChildProcess.visit(event, ada, at: kiosk.endpoint())
          #expect(end.exit == .status(76))
          #expect(end.events("kiosk_refused").first?["reason"] == "wrong_issuer")
          #expect(end.events("kiosk").isEmpty)
          try await kiosk.event("session_ended")
          #expect(kiosk.events("initial_request").isEmpty)
          #expect(kiosk.events("invalid_token").isEmpty)
        }
      }
    }
  }

  @Test(
    "R7: without the insecure flag no PIN travels in plain text", .bounded,
    arguments: ["kiosk", "attendee"], Place.allCases)
  func plaintext(program: String, place: Place) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let url = place.url(in: folder)
      let all =
        try program == "kiosk"
        ? ChildProcess.kioskArguments(event, listen: [url])
        : ChildProcess.attendeeArguments(event, event.ticket(), at: url)
      let end = try await ChildProcess.finish(program, all.filter { $0 != "--insecure-plaintext" } + ["--json"])
      #expect(end.exit == .status(64))
      #expect(end.errors.hasPrefix("\(program): \(place.rawValue)://"))
      #expect(end.errors.contains("not encrypted"))
      #expect(end.errors.contains("--insecure-plaintext"))
      #expect(end.output == "")
    }
  }
}
