internal import Glibc
internal import TestSupport
internal import Testing

@Suite("The attendee program on a terminal", .serialized)
struct PhoneScreenTests {
  static func run<Value>(
    _ event: TestEvent, _ ticket: String, at endpoint: String, _ more: [String] = [],
    body: (ChildProcess) async throws -> Value
  ) async throws -> Value {
    let terminal = ChildProcess.Stream.terminal(rows: 30, columns: 80)
    let arguments = ChildProcess.attendeeArguments(event, ticket, at: endpoint) + more
    return try await ChildProcess.run("attendee", arguments, input: terminal, output: terminal, body: body)
  }

  @Test("R8: says which kiosk and event it is, asks, and shows the answer", .bounded)
  func asks() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await ChildProcess.kiosk(event, ["--gate", "North"]) { kiosk in
        try await PhoneScreenTests.run(event, ada, at: kiosk.endpoint()) { phone in
          let question = try await phone.picture("the question") { $0.shows("with your fingerprint (mock)?") }
          let rows = question.rows
          let name = try #require(rows.firstIndex { $0.contains("Hall A, gate North, of Meetup") })
          #expect(rows.joined(separator: " ").contains("Other programs on this machine can read along."))
          #expect(name < rows.firstIndex { $0.contains("with your fingerprint") } ?? 0)
          #expect(question.shows("This is the ticket of Ada Lovelace."))
          phone.type("y\n")
          try await phone.picture("the answer") { $0.shows("✓ You are checked in.") }
          let end = try await phone.exit()
          #expect(end == .status(0))
        }
      }
    }
  }

  @Test("shows the PIN in large digits to who declines, and the answer", .bounded)
  func declines() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await ChildProcess.kiosk(event) { kiosk in
        try await PhoneScreenTests.run(event, ada, at: kiosk.endpoint()) { phone in
          try await phone.picture("the question") { $0.shows("with your fingerprint (mock)?") }
          phone.type("n\n")
          let picture = try await phone.picture("the PIN") { $0.shows("Type this at the kiosk") && $0.shows("tries") }
          let large = picture.rows.filter { row in row.count { "█▀▄".contains($0) } > 5 }
          #expect(large.count >= 3, "digits of several rows")
          phone.signal(SIGINT)
          let end = try await phone.exit()
          #expect(end == .status(1))
          let failed = try await kiosk.event("check_in_failed")
          #expect(failed["reason"] == "cancelled")
        }
      }
    }
  }

  @Test("that goes away gives up, and the kiosk is free for the next", .bounded)
  func goesAway() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let (ada, grace) = (try event.ticket(), try event.ticket("Grace Hopper", id: "grace"))
      try await ChildProcess.kiosk(event) { kiosk in
        let end = try await PhoneScreenTests.run(event, ada, at: kiosk.endpoint(), ["--authenticator", "pin"]) {
          phone in
          try await phone.picture("the PIN") { $0.shows("Type this at the kiosk") }
          phone.hangUp()
          return try await phone.exit()
        }
        #expect(end == .status(1) || end == .status(74))
        try await kiosk.event("session_ended")
        let visit = try await ChildProcess.visit(event, grace, at: kiosk.endpoint())
        #expect(visit.exit == .status(0))
        #expect(kiosk.events("checked_in").count == 1)
      }
    }
  }

  @Test("A phone that is killed frees the screen for the next", .bounded)
  func killed() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let (ada, grace) = (try event.ticket(), try event.ticket("Grace Hopper", id: "grace"))
      try await ChildProcess.kiosk(event) { kiosk in
        try await ChildProcess.attendee(event, ada, at: kiosk.endpoint(), ["--authenticator", "pin"]) { first in
          _ = try await first.pinOnScreen()
          try await ChildProcess.attendee(event, grace, at: kiosk.endpoint(), ["--authenticator", "pin"]) { second in
            try await second.event("notice") { $0["notice"] == "waiting" }
            first.signal(SIGKILL)
            kiosk.type(try await second.pinOnScreen() + "\n")
            let end = try await second.exit()
            #expect(end == .status(0))
          }
        }
      }
    }
  }
}
