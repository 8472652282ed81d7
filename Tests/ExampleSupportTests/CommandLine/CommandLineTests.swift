internal import ExampleSupport
internal import Testing

private enum Key: String, CaseIterable {
  case ed25519
  case es256
}

private enum Sample {
  static let listen = CommandLineArgument.repeated("listen", .text("URL"), required: true, "Where phones connect.")
  static let gate = CommandLineArgument.option("gate", .text("NAME"), "The gate.")
  static let key = CommandLineArgument.option(
    "key", .oneOf(Key.self, "KIND"), default: Key.ed25519, shown: "ed25519", "The kind of key.")
  static let ways = CommandLineArgument.list(
    "authenticators", .choice("NAME", of: ["mock-biometric", "pin"]), default: ["pin"], shown: "pin", "The ways.")
  static let count = CommandLineArgument.option(
    "count", .integer("N", in: 1...10), default: 3, shown: "3", "How many.")
  static let json = CommandLineArgument.flag("json", "JSON lines on standard output.")
  static let directory = CommandLineArgument.positional("DIR", .directory, "The folder.")
  static let rest = CommandLineArgument.optionalPositional("EXTRA", .text("EXTRA"), "Something else.")

  static let command = CommandLineCommand(
    "sample", summary: "does something",
    arguments: [directory, rest, listen, gate, key, ways, count, json],
    examples: [.init("sample DIR --listen tcp://127.0.0.1:7443", "Does it.")])

  static let add = CommandLineCommand("add", summary: "adds", arguments: [directory, json])
  static let remove = CommandLineCommand("remove", summary: "removes", arguments: [directory])
  static let tool = CommandLineCommand("tool", summary: "is a tool", subcommands: [add, remove])
}

@Suite("The command line")
struct CommandLineTests {
  private func values(_ words: String..., of command: CommandLineCommand = Sample.command) throws -> CommandLineValues {
    guard case .run(let values) = try command.parse(words) else {
      throw CommandLineError("it asked for a page")
    }
    return values
  }

  private func message(_ words: [String], of command: CommandLineCommand = Sample.command) -> String {
    do throws(CommandLineError) {
      _ = try command.parse(words)
      return "no error"
    } catch {
      return error.message
    }
  }

  @Test("reads options with a space and with an equals sign, flags and positionals, in any order")
  func readsEverything() throws {
    let values = try values(
      "--listen", "a", "folder", "--json", "--listen=b=c", "--gate", "Hall A", "more", "--key=es256",
      "--authenticators", "mock-biometric,pin", "--count=10")
    #expect(values[Sample.listen] == ["a", "b=c"])
    #expect(values[Sample.directory] == "folder")
    #expect(values[Sample.rest] == "more")
    #expect(values[Sample.gate] == "Hall A")
    #expect(values[Sample.key] == .es256)
    #expect(values[Sample.ways] == ["mock-biometric", "pin"])
    #expect(values[Sample.count] == 10)
    #expect(values[Sample.json])
    #expect(values.subcommand == nil)
  }

  @Test("has the declared values for what is left out")
  func hasDefaults() throws {
    let values = try values("folder", "--listen", "a")
    #expect(values[Sample.rest] == nil)
    #expect(values[Sample.gate] == nil)
    #expect(values[Sample.key] == .ed25519)
    #expect(values[Sample.ways] == ["pin"])
    #expect(values[Sample.count] == 3)
    #expect(!values[Sample.json])
  }

  @Test("takes everything behind two dashes as positional")
  func takesPositionalsBehindDashes() throws {
    let values = try values("--listen", "a", "--", "--json", "--help")
    #expect(values[Sample.directory] == "--json")
    #expect(values[Sample.rest] == "--help")
    #expect(!values[Sample.json])
  }

  @Test("takes a single dash as a positional")
  func takesDash() throws {
    #expect(try values("--listen", "a", "-")[Sample.directory] == "-")
  }

  @Test(
    "says what is wrong and what was most likely meant",
    arguments: [
      (["d", "--lisen", "a"], "there is no option “--lisen”. Did you mean “--listen”?"),
      (["d", "--lsiten=a"], "there is no option “--lsiten”. Did you mean “--listen”?"),
      (["d", "-json"], "there is no option “-json”. Did you mean “--json”?"),
      (["d", "--zzzzzz"], "there is no option “--zzzzzz”."),
      (["d"], "--listen URL is missing."),
      ([], "DIR and --listen URL are missing."),
      (["d", "--listen"], "--listen needs a value: --listen URL."),
      (["d", "--listen", "--json"], "--listen needs a value: --listen URL."),
      (["d", "--listen", "a", "--gate", "x", "--gate", "y"], "--gate stands twice, and may stand once."),
      (["d", "--listen", "a", "--json=yes"], "--json takes no value."),
      (["d", "e", "f", "--listen", "a"], "“f” is one word too many. sample takes DIR EXTRA."),
      (["d", "--listen="], "“” cannot be used for --listen: it is empty."),
      (
        ["d", "--listen", "a", "--key", "es265"],
        "“es265” cannot be used for --key: it is none of ed25519, es256; did you mean “es256”?"
      ),
      (
        ["d", "--listen", "a", "--authenticators", "pin,face"],
        "“face” cannot be used for --authenticators: it is none of mock-biometric, pin."
      ),
      (
        ["d", "--listen", "a", "--count", "11"],
        "“11” cannot be used for --count: it is not a whole number from 1 to 10."
      ),
      (["d", "--\u{1b}[2J"], "there is no option “--\u{fffd}[2J”."),
    ])
  func saysWhatIsWrong(words: [String], expected: String) {
    #expect(message(words) == expected)
  }

  @Test(
    "says which subcommand was most likely meant",
    arguments: [
      ([], "there is no subcommand. There are: add, remove."),
      (["remvoe", "d"], "there is no subcommand “remvoe”. Did you mean “remove”?"),
      (["quux"], "there is no subcommand “quux”. There are: add, remove."),
      (["--hlep"], "there is no option “--hlep”. Did you mean “--help”?"),
    ])
  func saysWhichSubcommand(words: [String], expected: String) {
    #expect(message(words, of: Sample.tool) == expected)
  }

  @Test("reads a subcommand and its own arguments, and its errors name it")
  func readsSubcommands() throws {
    let values = try values("add", "folder", "--json", of: Sample.tool)
    #expect(values.subcommand == "add")
    #expect(values[Sample.directory] == "folder")
    #expect(values[Sample.json])
    #expect {
      try Sample.tool.parse(["remove", "folder", "--json"])
    } throws: {
      ($0 as? CommandLineError)?.description
        == "tool: there is no option “--json”.\nTry “tool remove --help”."
    }
  }

  @Test(
    "gives the help page before any error",
    arguments: [["--help"], ["-h"], ["d", "--help"], ["--json", "-h", "--nonsense"]])
  func givesHelp(words: [String]) throws {
    guard case .help(let page) = try Sample.command.parse(words) else {
      Issue.record("no help page")
      return
    }
    #expect(page.hasPrefix("sample – does something\n"))
    #expect(page.contains("Usage: sample DIR [EXTRA] --listen URL … [options]\n"))
    #expect(page.contains("--listen URL"))
    let words = page.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(words.contains("The kind of key. One of: ed25519, es256. Default: ed25519."))
    #expect(page.contains("Examples:\n  sample DIR --listen tcp://127.0.0.1:7443\n      Does it.\n"))
    #expect(page.contains("Exit status:\n  0   Done.\n  64  The command line is wrong.\n"))
  }

  @Test("keeps help pages within 80 columns, also with long texts")
  func keepsWidth() {
    let long = CommandLineCommand(
      "long", summary: String(repeating: "word ", count: 40), discussion: [String(repeating: "talk ", count: 60)],
      arguments: [
        CommandLineArgument.option(
          "a-rather-long-name-of-an-option", .text("VALUE"), String(repeating: "help ", count: 40))
      ],
      examples: [
        .init(
          "long --a-rather-long-name-of-an-option \"one two three\" --a-rather-long-name-of-an-option four five six",
          String(repeating: "text ", count: 30))
      ])
    for line in long.helpPage(path: "long").split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
  }

  @Test("gives the version, and help for a subcommand in three ways")
  func givesVersionAndHelp() throws {
    guard case .version(let line) = try Sample.tool.parse(["add", "--version"]) else {
      Issue.record("no version")
      return
    }
    #expect(line == "tool (swift-checkin) \(ProgramVersion.number)")
    for words in [["add", "--help"], ["help", "add"], ["add", "-h"]] {
      guard case .help(let page) = try Sample.tool.parse(words) else {
        Issue.record("no help for \(words)")
        continue
      }
      #expect(page.hasPrefix("tool add – adds\n"))
    }
  }
}

@Suite("The nearest word")
struct NearestWordTests {
  @Test(
    "counts letters too many, too few, wrong or swapped as one slip each",
    arguments: [
      ("", "", 0), ("listen", "listen", 0), ("lsiten", "listen", 1), ("liste", "listen", 1), ("listenn", "listen", 1),
      ("lisden", "listen", 1), ("abc", "", 3), ("kitten", "sitting", 3),
    ])
  func counts(left: String, right: String, distance: Int) {
    #expect(NearestWord.distance(left, right) == distance)
    #expect(NearestWord.distance(right, left) == distance)
  }

  @Test("guesses the beginning of one word, and nothing where two begin so or none is near")
  func guesses() {
    #expect(NearestWord.of("auth", in: ["authenticators", "identity"]) == "authenticators")
    #expect(NearestWord.of("auth", in: ["authenticators", "authority"]) == nil)
    #expect(NearestWord.of("xyz", in: ["authenticators", "identity"]) == nil)
    #expect(NearestWord.of("", in: ["a"]) == nil)
  }
}
