internal import CheckInCore
internal import Glibc
internal import TestSupport
internal import Testing

extension Trait where Self == TimeLimitTrait {
  /// No test of a program may hang. Generous, because every wait in it has a limit of its own, and this clock also runs
  /// while other tests keep the machine busy.
  static var bounded: Self { .timeLimit(.minutes(5)) }
}

/// The transports on which two programs can talk.
enum Place: String, CaseIterable, CustomTestStringConvertible {
  case tcp, unix

  var testDescription: String { rawValue }

  func url(in folder: ProcessFolder) -> String {
    self == .tcp ? "tcp://127.0.0.1:0" : "unix://\(folder.path("kiosk.sock"))"
  }
}

@Suite("A kiosk and an attendee in processes of their own", .serialized)
struct CheckInTests {
  @Test("Ada confirms on her phone and is in; when she comes again she is told so", .bounded, arguments: Place.allCases)
  func confirmed(place: Place) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await ChildProcess.kiosk(event, listen: [place.url(in: folder)]) { kiosk in
        let first = try await ChildProcess.visit(event, ada, at: kiosk.endpoint())
        #expect(first.exit == .status(0))
        #expect(first.events.map(\.name).starts(with: ["connected", "kiosk", "initial_request"]))
        #expect(first.events("kiosk").first?["name"] == "Hall A")
        #expect(first.events("kiosk").first?["event_name"] == "Meetup")
        let result = try #require(first.events("result").first)
        #expect(result.truth("success") == true)
        #expect(result["reason"] == "admitted")
        #expect(first.events("pin").isEmpty, "a phone that confirms does not show the PIN")

        let second = try await ChildProcess.visit(event, ada, at: kiosk.endpoint())
        #expect(second.exit == .status(1))
        let answer = try #require(second.events("result").first)
        #expect(answer.truth("success") == false)
        #expect(answer["reason"] == "already_admitted")
        #expect(answer["gate"] == "Hall A")
        #expect(answer["admitted_at"] == result["admitted_at"])

        try await kiosk.event("session_ended", 2)
        #expect(kiosk.events("checked_in").map { $0["name"] } == ["Ada Lovelace"])
        #expect(kiosk.events("check_in_failed").map { $0["reason"] } == ["already_admitted"])
      }
    }
  }

  @Test("Grace types her PIN on the keypad, corrects a mistake, and is in", .bounded, arguments: Place.allCases)
  func typed(place: Place) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let grace = try event.ticket("Grace Hopper", id: "grace")
      try await ChildProcess.kiosk(event, listen: [place.url(in: folder)]) { kiosk in
        let end = try await ChildProcess.attendee(
          event, grace, at: kiosk.endpoint(), ["--authenticator", "pin"]
        ) { phone in
          let pin = try await phone.pinOnScreen()
          // Two digits, one that is wrong, taken back; all of it cleared; then in two lines, with one taken back.
          kiosk.type(pin.prefix(2) + pin.wrong(2) + "<!" + pin.prefix(3) + pin.wrong(3) + "\n")
          kiosk.type("<" + pin.suffix(2) + "\n")
          return try await phone.finished()
        }
        #expect(end.exit == .status(0))
        #expect(end.reason == "admitted")
        try await kiosk.event("checked_in") { $0["name"] == "Grace Hopper" }
        #expect(kiosk.events("wrong_pin").isEmpty)
      }
    }
  }

  @Test("What is typed while a PIN is being checked is typed after it, in order", .bounded, arguments: ["\n", ""])
  func typedAhead(between: String) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let grace = try event.ticket("Grace Hopper", id: "grace")
      try await ChildProcess.kiosk(event, ledger: folder.path("ledger")) { kiosk in
        let end = try await ChildProcess.attendee(
          event, grace, at: kiosk.endpoint(), ["--authenticator", "pin"]
        ) { phone in
          let pin = try await phone.pinOnScreen()
          kiosk.type([pin.wrong, pin.wrong, pin].joined(separator: between) + "\n")
          return try await phone.finished()
        }
        #expect(end.exit == .status(0))
        try await kiosk.event("checked_in")
        #expect(kiosk.events("wrong_pin").map { $0.number("attempts_left") } == [2, 1])
      }
    }
  }

  @Test("R3: the third wrong PIN ends the session, and the right one comes too late", .bounded)
  func wrongThreeTimes() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let grace = try event.ticket("Grace Hopper", id: "grace")
      try await ChildProcess.kiosk(event, ledger: folder.path("ledger")) { kiosk in
        let end = try await ChildProcess.attendee(
          event, grace, at: kiosk.endpoint(), ["--authenticator", "pin"]
        ) { phone in
          let pin = try await phone.pinOnScreen()
          for left in [2, 1] {
            kiosk.type(pin.wrong + "\n")
            try await phone.event("notice") { $0["notice"] == "wrong_pin" && $0.number("attempts_left") == Int64(left) }
          }
          kiosk.type(pin.wrong + pin + "\n")
          return try await phone.finished()
        }
        #expect(end.exit == .status(1))
        #expect(end.reason == "too_many_attempts")
        try await kiosk.event("session_ended")
        #expect(kiosk.events("wrong_pin").map { $0.number("attempts_left") } == [2, 1, 0])
        #expect(kiosk.events("check_in_failed").map { $0["reason"] } == ["too_many_attempts"])
        #expect(kiosk.events("checked_in").isEmpty)
      }
      // The counts survive a restart: the same ticket has to wait.
      try await ChildProcess.kiosk(event, ledger: folder.path("ledger")) { kiosk in
        let again = try await ChildProcess.visit(event, grace, at: kiosk.endpoint(), ["--authenticator", "pin"])
        #expect(again.exit == .status(1))
        #expect(again.reason == "too_many_attempts")
        #expect(again.events("result").first?.number("retry_after_seconds") ?? 0 > 0)
      }
    }
  }

  @Test("One kiosk serves two transports at once, with one ledger", .bounded)
  func twoTransports() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let (ada, grace) = (try event.ticket(), try event.ticket("Grace Hopper", id: "grace", algorithm: .es256))
      try await ChildProcess.kiosk(event, listen: Place.allCases.map { $0.url(in: folder) }) { kiosk in
        let (tcp, unix) = (try kiosk.endpoint("tcp:"), try kiosk.endpoint("unix:"))
        #expect(try await ChildProcess.visit(event, ada, at: tcp).exit == .status(0))
        #expect(try await ChildProcess.visit(event, grace, at: unix).exit == .status(0))
        let again = try await ChildProcess.visit(event, ada, at: unix)
        #expect(again.exit == .status(1))
        #expect(again.reason == "already_admitted")
      }
    }
  }

  @Test("R22: an admission is remembered after the kiosk was asked to end and started again", .bounded)
  func remembers() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await ChildProcess.kiosk(event, ledger: folder.path("ledger")) { kiosk in
        let first = try await ChildProcess.visit(event, ada, at: kiosk.endpoint())
        #expect(first.exit == .status(0))
        kiosk.signal(SIGTERM)
        let end = try await kiosk.exit(atMost: .seconds(10))
        #expect(end == .status(0))
      }
      try await ChildProcess.kiosk(event, ledger: folder.path("ledger")) { kiosk in
        let second = try await ChildProcess.visit(event, ada, at: kiosk.endpoint())
        #expect(second.reason == "already_admitted")
      }
    }
  }
}

extension ChildProcess {
  /// The PIN that a phone shows, once the kiosk's keypad is this phone's.
  func pinOnScreen() async throws -> String {
    try await event("notice") { $0["notice"] == "on_screen" }
    return try #require(try await event("pin")["pin"])
  }
}

extension String {
  /// A PIN that is wrong in each digit.
  var wrong: String { String(map { Character("\((($0.wholeNumberValue ?? 0) + 1) % 10)") }) }

  /// One digit, wrong at this place.
  func wrong(_ index: Int) -> String { String(Array(wrong)[index]) }
}
