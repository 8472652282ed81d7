internal import TestSupport
internal import Testing

@Suite("Commands that the documents name")
struct CommandTests {
  private static let programs = ["organizer", "kiosk", "attendee", "demo"]

  /// A command line as a shell takes it apart; the documents quote with double quotes only.
  private func words(_ line: some StringProtocol) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in line {
      switch character {
      case "\"":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted:
        if let done = word { words.append(done) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  /// The command lines of programs in a document: what follows `swift run`.
  private func runs(in document: Document) -> [(line: Int, words: [String])] {
    document.codeLines.compactMap { place in
      guard place.text.hasPrefix("swift run ") else { return nil }
      return (place.line, words(place.text.dropFirst("swift run ".count)))
    }
  }

  /// The options that the help of a program, or of one of its subcommands, names.
  private func options(of command: [String]) async throws -> Set<String> {
    let help = try await ChildProcess.finish(command[0], command.dropFirst() + ["--help"])
    try #require(help.exit == .status(0), "\(command): \(help.errors)")
    return Set(help.output.matches(of: /--[a-z][a-z-]*/).map { String($0.0) })
  }

  @Test("make: each target is in the Makefile", arguments: Repository.documents)
  func targets(path: String) throws {
    let makefile = try Repository.text("Makefile")
    let known = Set(
      makefile.split(separator: "\n").compactMap { $0.prefixMatch(of: /([a-z-]+):/).map { String($0.1) } })
    #expect(known.isSuperset(of: ["demo", "test", "check"]))
    let document = try Document(path)
    for place in document.spans + document.codeLines {
      guard let target = place.text.prefixMatch(of: /make ([a-z][a-z-]*)/)?.1 else { continue }
      #expect(known.contains(String(target)), "\(path):\(place.line): there is no “make \(target)”.")
    }
  }

  @Test("the README's two commands are there")
  func twoCommands() throws {
    let lines = try Document("README.md").codeLines.map(\.text)
    for command in ["make demo", "make test"] {
      #expect(lines.contains { $0.hasPrefix(command) })
    }
  }

  @Test("programs: each option is in the program's help", .timeLimit(.minutes(1)))
  func optionsAreThere() async throws {
    let document = try Document("README.md")
    let runs = runs(in: document)
    #expect(Set(runs.map(\.words[0])) == ["organizer", "kiosk", "attendee"])
    for run in runs {
      let isSubcommand = run.words[0] == "organizer"
      let known = try await options(of: Array(run.words.prefix(isSubcommand ? 2 : 1)))
      for word in run.words where word.hasPrefix("--") {
        #expect(known.contains(word), "README.md:\(run.line): \(run.words[0]) has no option \(word).")
      }
    }
  }

  @Test(
    "options in the middle of a sentence are those of some program", .timeLimit(.minutes(1)),
    arguments: ["README.md", "Documentation/Errors.md", "Documentation/Security.md"])
  func namedOptions(path: String) async throws {
    var known: Set<String> = []
    for program in CommandTests.programs { known.formUnion(try await options(of: [program])) }
    for place in try Document(path).spans {
      guard let option = place.text.prefixMatch(of: /--[a-z][a-z-]*/)?.0 else { continue }
      #expect(known.contains(String(option)), "\(path):\(place.line): no program has an option \(option).")
    }
  }

  @Test("the three terminals do what the README says, as it says it", .timeLimit(.minutes(1)))
  func threeTerminals() async throws {
    // Those with a container ask for a password; “scripts/examples” runs them, and answers.
    let runs = runs(in: try Document("README.md")).map(\.words).filter { !$0.contains("--container") }
    try await ProcessFolder.with { folder in
      // Only the place of the folder and the port are the test's own.
      func arguments(_ words: [String], at endpoint: String) -> [String] {
        words.dropFirst().map { word in
          if word == "myevent" || word.hasPrefix("myevent/") { return folder.path(word) }
          return word == "tcp://127.0.0.1:7443" ? endpoint : word
        }
      }
      for run in runs where run[0] == "organizer" {
        let end = try await ChildProcess.finish(run[0], arguments(run, at: ""))
        #expect(end.exit == .status(0), "\(run): \(end.errors)")
      }
      let kiosk = try #require(runs.first { $0[0] == "kiosk" })
      let attendee = try #require(runs.first { $0[0] == "attendee" })
      #expect(kiosk.contains("tcp://127.0.0.1:7443") && attendee.contains("tcp://127.0.0.1:7443"))
      try await ChildProcess.run("kiosk", arguments(kiosk, at: "tcp://127.0.0.1:0")) { child in
        let endpoint = try #require(try await child.event("listening")["endpoint"])
        let end = try await ChildProcess.finish("attendee", arguments(attendee, at: endpoint))
        #expect(end.exit == .status(0), "\(end.output)\(end.errors)")
        #expect(end.events("kiosk").first?["event_name"] == "Swift Meetup")
        #expect(end.events("kiosk").first?["name"] == "Hall A")
        try await child.event("checked_in") { $0["name"] == "Ada Lovelace" }
      }
    }
  }
}
