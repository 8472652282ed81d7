internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@Suite("The kiosk's screen on a terminal", .serialized)
struct ScreenTests {
  /// Runs a kiosk on a terminal, until it shows the welcome. It writes no JSON, so it listens at a path.
  static func run<Value>(
    _ event: TestEvent, rows: Int = 24, columns: Int = 80, alsoAt places: [String] = [], _ more: [String] = [],
    body: (_ kiosk: ChildProcess, _ endpoint: String) async throws -> Value
  ) async throws -> Value {
    let endpoint = Place.unix.url(in: event.folder)
    let arguments = try ChildProcess.kioskArguments(event, listen: [endpoint] + places) + more
    let terminal = ChildProcess.Stream.terminal(rows: rows, columns: columns)
    return try await ChildProcess.run("kiosk", arguments, input: terminal, output: terminal, errors: .captured) {
      kiosk in
      try await kiosk.picture("the welcome") { $0.shows("Welcome") }
      return try await body(kiosk, endpoint)
    }
  }

  @Test(
    "R7: warns of those who could read along where it listens", .bounded,
    arguments: [
      ([], "programs"), (["tcp://127.0.0.1:0"], "programs"), (["tcp://127.0.0.1:0", "tcp://0.0.0.0:0"], "network"),
    ], [(24, 80), (12, 50)])
  func warns(of listening: (places: [String], who: String), size: (rows: Int, columns: Int)) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      try await ScreenTests.run(event, rows: size.rows, columns: size.columns, alsoAt: listening.places) { kiosk, _ in
        let picture = try await kiosk.picture("the warning") { $0.shows("can read PINs.") && $0.shows(listening.who) }
        #expect(picture.shows("network") == (listening.who == "network"))
        #expect(picture.rows.last?.contains("can read PINs.") == true)
      }
    }
  }

  @Test(
    "says below the heading what the staff must look after, as long as that is so, and a hangup signal ends nothing",
    .bounded)
  func complains() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let list = try event.takeBack([], number: 1)
      try await ScreenTests.run(event, ["--revocations", list]) { kiosk, _ in
        try folder.write("damaged", to: "revocations.list")
        let picture = try await kiosk.picture("the complaint") { $0.shows("list of what was taken back") }
        #expect(picture.rows[1].contains("list of what was taken back"))
        // All of it, though a row does not hold it.
        let words = picture.rows[1..<6].joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(words.contains("“-----BEGIN …-----” in it"), "\(words)")
        #expect(picture.shows("Welcome"))
        try event.takeBack(["ada"], number: 2)
        kiosk.signal(SIGHUP)
        try await kiosk.picture("no complaint") {
          !$0.shows("taken back") && $0.shows("Welcome") && $0.shows("In force: list 2 of")
        }
        // Its terminal is there, so it was asked to read its files again, and not to end.
        kiosk.type("\u{03}")
        #expect(try await kiosk.exit() == .status(0))
      }
    }
  }

  @Test("greets by name, masks what is typed, takes back, redraws, and forgets the name", .bounded)
  func story() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let grace = try event.ticket("Grace Hopper", id: "grace")
      try await ScreenTests.run(event) { kiosk, endpoint in
        let welcome = try #require(kiosk.picture)
        #expect(welcome.rows[0].hasPrefix(" Meetup · Hall A"))
        #expect(welcome.rows[0].hasSuffix(" UTC") || welcome.rows[0].contains(":"), "the clock")
        #expect(welcome.modes.isSuperset(of: [1049, 1000, 1006]))
        #expect(!welcome.modes.contains(25), "no cursor")

        let end = try await ChildProcess.attendee(event, grace, at: endpoint, ["--authenticator", "pin"]) { phone in
          let pin = try await phone.pinOnScreen()
          let greeting = try await kiosk.picture("the greeting") { $0.shows("Hello, Grace Hopper!") }
          #expect(greeting.boxes == [" ", " ", " ", " ", " "])
          #expect(greeting.shows("left"))
          kiosk.type(String(pin.prefix(2)))
          try await kiosk.picture("two digits, masked") { $0.boxes == ["•", "•", " ", " ", " "] }
          kiosk.type(pin.wrong(2))
          try await kiosk.picture("the last digit, for a moment") { [pin] in
            $0.boxes.map { Array($0)[2] } == Character(pin.wrong(2)) || $0.boxes == ["•", "•", "•", " ", " "]
          }
          try await kiosk.picture("three digits, masked") { $0.boxes == ["•", "•", "•", " ", " "] }
          kiosk.type("\u{7f}")
          try await kiosk.picture("one taken back") { $0.boxes == ["•", "•", " ", " ", " "] }
          kiosk.type("\u{1b}")
          try await kiosk.picture("all taken back") { $0.boxes == [" ", " ", " ", " ", " "] }

          kiosk.resize(rows: 40, columns: 120)
          let redrawn = try await kiosk.picture("the same in another size") { $0.shows("Hello, Grace Hopper!") }
          #expect(redrawn.rows[0].contains("Meetup"))
          #expect(redrawn.boxes == [" ", " ", " ", " ", " "])
          kiosk.resize(rows: 10, columns: 30)
          try await kiosk.picture("the same in a small one") { $0.shows("Hello, Grace Hopper!") }
          kiosk.resize(rows: 24, columns: 80)
          try await kiosk.picture("the first size") { $0.shows("Hello, Grace Hopper!") }

          // The last key by the mouse: the keypad is drawn, and takes clicks.
          kiosk.type(String(pin.prefix(4)))
          try await kiosk.picture("four digits") { $0.boxes?.prefix(3) == ["•", "•", "•"] && $0.boxes?[3] != " " }
          let place = try #require(kiosk.picture?.place(ofKey: pin.last))
          kiosk.type("\u{1b}[<0;\(place.column + 1);\(place.row + 1)M\u{1b}[<0;\(place.column + 1);\(place.row + 1)m")
          let outcome = try await kiosk.picture("the outcome") { $0.shows("Checked in") }
          #expect(outcome.shows("✓"))
          #expect(outcome.shows("Grace Hopper"))
          return try await phone.finished()
        }
        #expect(end.exit == .status(0))
        let after = try await kiosk.picture("the welcome again") { $0.shows("Welcome") }
        #expect(!after.text.contains("Grace"))
        #expect(after.unknown == [])
        #expect(after.bells == 0)
      }
    }
  }

  @Test("shows a refusal in words, symbol and colour", .bounded)
  func refusal() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let late = try event.ticket(until: -3600)
      try await ScreenTests.run(event) { kiosk, endpoint in
        let visit = try await ChildProcess.visit(event, late, at: endpoint)
        #expect(visit.reason == "expired")
        let outcome = try await kiosk.picture("the outcome") { $0.shows("Not checked in") }
        #expect(outcome.shows("✗"))
        #expect(outcome.shows("Ada Lovelace"))
        #expect(kiosk.outputText.contains("\u{1b}[0;1;31m") || kiosk.outputText.contains("31m"))
        let after = try await kiosk.picture("the welcome again") { $0.shows("Welcome") }
        #expect(!after.text.contains("Ada"))
      }
    }
  }

  @Test("shows no control characters that a name brings", .bounded)
  func name() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let trick = try event.ticket("Ada\u{1b}[2J\u{07}\u{202e}Lovelace", id: "trick")
      try await ScreenTests.run(event) { kiosk, endpoint in
        let end = try await ChildProcess.attendee(event, trick, at: endpoint, ["--authenticator", "pin"]) { phone in
          _ = try await phone.pinOnScreen()
          let greeting = try await kiosk.picture("the greeting") { $0.shows("Hello, Ada") }
          #expect(greeting.rows[0].contains("Meetup"), "nothing was cleared")
          #expect(greeting.bells == 0)
          #expect(greeting.unknown == [])
          phone.signal(SIGTERM)
          return try await phone.finished()
        }
        #expect(end.exit == .status(1))
      }
    }
  }

  @Test("is one person's at a time: who comes second is told to wait, and has a turn", .bounded)
  func queue() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let (ada, grace) = (try event.ticket(), try event.ticket("Grace Hopper", id: "grace"))
      try await ScreenTests.run(event) { kiosk, endpoint in
        try await ChildProcess.attendee(event, ada, at: endpoint, ["--authenticator", "pin"]) { first in
          let adasPIN = try await first.pinOnScreen()
          try await ChildProcess.attendee(event, grace, at: endpoint, ["--authenticator", "pin"]) { second in
            try await second.event("notice") { $0["notice"] == "waiting" && $0.number("ahead") == 1 }
            let picture = try await kiosk.picture("that somebody waits") { $0.shows("1 person waits") }
            #expect(picture.shows("Hello, Ada Lovelace!"))
            #expect(!picture.text.contains("Grace"))
            // R6: what is typed counts for the session on the screen only.
            let gracesPIN = try #require(try await second.event("pin")["pin"])
            kiosk.type(gracesPIN)
            try await first.event("notice") { $0["notice"] == "wrong_pin" }
            kiosk.type(adasPIN)
            let firstEnd = try await first.exit()
            #expect(firstEnd == .status(0))
            _ = try await second.pinOnScreen()
            try await kiosk.picture("Grace's turn") { $0.shows("Hello, Grace Hopper!") && !$0.text.contains("Ada") }
            kiosk.type(try #require(second.events("pin").last?["pin"]))
            let secondEnd = try await second.exit()
            #expect(secondEnd == .status(0))
          }
        }
      }
    }
  }

  @Test("gives the terminal back on every end", .bounded, arguments: [SIGTERM, SIGINT, 0, SIGABRT])
  func restores(signal: Int32) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let kiosk = try BuiltProgram.path("kiosk")
      let arguments = try ChildProcess.kioskArguments(event, listen: [Place.unix.url(in: folder)])
      // A shell that stays, as a person's would, and says how it finds its terminal afterwards.
      let script = "trap : TERM INT HUP ABRT; \"$@\"; code=$?; stty -a > '\(folder.path("modes"))'; exit $code"
      let terminal = ChildProcess.Stream.terminal(rows: 24, columns: 80)
      try await ChildProcess.run(
        "/bin/sh", ["-c", script, "sh", kiosk] + arguments, environment: ["SWIFT_BACKTRACE": "enable=no"],
        input: terminal, output: terminal
      ) { shell in
        try await shell.picture("the welcome") { $0.shows("Welcome") }
        // Zero: the person types Ctrl-C, which the terminal does not make a signal of any more.
        if signal == 0 { shell.type("\u{03}") } else { shell.signal(signal, toGroup: true) }
        let end = try await shell.exit(atMost: .seconds(10))
        switch signal {
        case SIGABRT: #expect(end == .status(128 + SIGABRT))
        default: #expect(end == .status(0))
        }
        let picture = try #require(shell.picture)
        #expect(picture.modes == [7, 25], "the first screen, the cursor, no mouse")
        #expect(!picture.shows("Welcome"))
        let modes = try String(contentsOfFile: folder.path("modes"), encoding: .utf8).split { " ;\n".contains($0) }
        for mode in ["icanon", "echo", "isig", "icrnl", "ixon", "opost"] { #expect(modes.contains(mode[...])) }
      }
    }
  }

  @Test("that goes away ends the kiosk with its own status, and no one is let in without a word", .bounded)
  func goesAway() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      try await ScreenTests.run(event) { kiosk, _ in
        kiosk.hangUp()
        let end = try await kiosk.exit(atMost: .seconds(10))
        #expect(end == .status(74))
      }
    }
  }

  @Test("is stopped with Ctrl-Z and comes back", .bounded)
  func suspended() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      try await ScreenTests.run(event) { kiosk, endpoint in
        kiosk.type("\u{1a}")
        try await kiosk.picture("the shell's screen") { $0.modes == [7, 25] }
        // A shell lets a program go on when the system has told it that the program is stopped.
        while !kiosk.isStopped { try await Task.sleep(for: .milliseconds(10)) }
        kiosk.signal(SIGCONT)
        try await kiosk.picture("the welcome again") { $0.modes.contains(1049) && $0.shows("Welcome") }
        let visit = try await ChildProcess.visit(event, event.ticket(), at: endpoint)
        #expect(visit.exit == .status(0))
      }
    }
  }

  @Test("is no reason to write escapes where there is no screen", .bounded)
  func dumb() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let arguments = try ChildProcess.kioskArguments(event, listen: [Place.unix.url(in: folder)])
      let terminal = ChildProcess.Stream.terminal(rows: 24, columns: 80)
      try await ChildProcess.run(
        "kiosk", arguments, environment: ["TERM": "dumb"], input: terminal, output: terminal
      ) { kiosk in
        try await kiosk.picture("a line of JSON") { $0.shows("listening") }
        #expect(!kiosk.outputText.contains("\u{1b}"))
      }
    }
  }
}

extension TerminalPicture {
  /// What is in the five boxes; nil when there are none.
  var boxes: [Character]? {
    for (index, row) in cells.enumerated() where index > 0 {
      let sides = row.indices.filter { row[$0] == "│" }
      guard sides.count == 10 else { continue }
      return (0..<5).map { row[sides[$0 * 2] + 2] }
    }
    return nil
  }

  /// Where the keypad, which is below the boxes, has a key.
  func place(ofKey key: Character?) -> (row: Int, column: Int)? {
    guard let boxes = cells.lastIndex(where: { row in row.count { $0 == "└" } == 5 }) else { return nil }
    for row in (boxes + 1)..<cells.count {
      let text = rows[row].split(separator: " ")
      guard text.count == 3, let column = cells[row].firstIndex(where: { $0 == key }) else { continue }
      return (row, column)
    }
    return nil
  }
}
