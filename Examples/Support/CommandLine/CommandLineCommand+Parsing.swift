internal import CheckIn

extension CommandLineCommand {
  /// What a command line asks for.
  package enum Request: Sendable {
    /// To do the work with these values.
    case run(CommandLineValues)
    /// To print this help page.
    case help(String)
    /// To print this version line.
    case version(String)
  }

  /// Reads a command line, without the program's own name.
  ///
  /// Options and positionals may be mixed; everything behind `--` is positional. `--help` and `--version` win over
  /// every error behind them.
  ///
  /// - Throws: ``CommandLineError``, saying what is wrong and the nearest right word.
  package func parse(_ words: [String]) throws(CommandLineError) -> Request {
    try parse(words, program: name, parents: "")
  }

  private func parse(_ words: [String], program: String, parents: String) throws(CommandLineError) -> Request {
    let path = parents.isEmpty ? name : "\(parents) \(name)"
    do throws(CommandLineError) {
      if subcommands.isEmpty {
        return try parseArguments(words, program: program, path: path)
      }
      return try parseSubcommand(words, program: program, path: path)
    } catch {
      throw error.command.isEmpty ? CommandLineError(error.message, command: path) : error
    }
  }

  private func parseSubcommand(
    _ words: [String], program: String, path: String
  ) throws(CommandLineError) -> Request {
    let names = subcommands.map(\.name)
    guard let word = words.first else {
      throw CommandLineError("there is no subcommand. There are: \(names.joined(separator: ", ")).")
    }
    switch word {
    case "--help", "-h", "help":
      guard words.count > 1, word == "help", let command = subcommands.first(where: { $0.name == words[1] }) else {
        return .help(helpPage(path: path))
      }
      return .help(command.helpPage(path: "\(path) \(command.name)"))
    case "--version": return .version(ProgramVersion.line(for: program))
    default: break
    }
    guard let command = subcommands.first(where: { $0.name == word }) else {
      let kind = word.hasPrefix("-") ? "option" : "subcommand"
      let guess = suggestion(word, among: word.hasPrefix("-") ? ["--help", "--version"] : names)
      throw CommandLineError(
        "there is no \(kind) “\(word.printable)”.\(guess ?? " There are: \(names.joined(separator: ", ")).")")
    }
    return try command.parse(Array(words.dropFirst()), program: program, parents: path)
  }

  private func parseArguments(_ words: [String], program: String, path: String) throws(CommandLineError) -> Request {
    var given: [String: [String]] = [:]
    let positionals = arguments.filter { $0.shape.kind == .positional }.map(\.shape)
    var places = positionals[...]
    var rest = words[...]
    var onlyPositionals = false
    while let word = rest.popFirst() {
      if !onlyPositionals, word == "--" {
        onlyPositionals = true
      } else if !onlyPositionals, word == "--help" || word == "-h" {
        return .help(helpPage(path: path))
      } else if !onlyPositionals, word == "--version" {
        return .version(ProgramVersion.line(for: program))
      } else if onlyPositionals || !word.hasPrefix("-") || word == "-" {
        guard let place = places.popFirst() else {
          throw CommandLineError("“\(word.printable)” is one word too many.\(hint(positionals))")
        }
        given[place.spelling, default: []].append(word)
      } else {
        try parseNamed(word, &rest, into: &given)
      }
    }
    return .run(
      CommandLineValues(
        subcommand: path == program ? nil : name, values: try convert(given), given: Set(given.keys)))
  }

  private func parseNamed(
    _ word: String, _ rest: inout ArraySlice<String>, into given: inout [String: [String]]
  ) throws(CommandLineError) {
    let pieces = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let named = arguments.map(\.shape).filter { $0.kind != .positional }
    guard let shape = named.first(where: { $0.spelling == pieces[0] }) else {
      let guess = suggestion(pieces[0], among: named.map(\.spelling) + ["--help", "--version"]) ?? ""
      throw CommandLineError("there is no option “\(pieces[0].printable)”.\(guess)")
    }
    if !shape.isRepeatable, given[shape.spelling] != nil {
      throw CommandLineError("\(shape.spelling) stands twice, and may stand once.")
    }
    switch shape.kind {
    case .flag where pieces.count > 1:
      throw CommandLineError("\(shape.spelling) takes no value.")
    case .flag:
      given[shape.spelling] = [shape.name]
    default:
      // A value that looks like an option is most likely a forgotten value; `--name=--value` says otherwise.
      guard let value = pieces.count > 1 ? pieces[1] : rest.first, pieces.count > 1 || !value.hasPrefix("--") else {
        throw CommandLineError("\(shape.spelling) needs a value: \(shape.spelling) \(shape.valueName).")
      }
      if pieces.count == 1 { rest.removeFirst() }
      given[shape.spelling, default: []].append(value)
    }
  }

  private func convert(_ given: [String: [String]]) throws(CommandLineError) -> [String: any Sendable] {
    let missing = arguments.map(\.shape).filter { $0.isRequired && given[$0.spelling] == nil }
    guard missing.isEmpty else {
      let names = missing.map { $0.kind == .positional ? $0.name : "\($0.spelling) \($0.valueName)" }
      let verb = names.count == 1 ? "is" : "are"
      throw CommandLineError("\(names.inWords) \(verb) missing.")
    }
    var values: [String: any Sendable] = [:]
    for argument in arguments {
      values[argument.shape.spelling] = try argument.anyValue(from: given[argument.shape.spelling] ?? [])
    }
    return values
  }

  private func suggestion(_ word: String, among candidates: [String]) -> String? {
    // Dashes are the same on both sides and would make every short name look near.
    let bare = String(word.drop { $0 == "-" })
    let names = candidates.map { String($0.drop { $0 == "-" }) }
    guard let near = NearestWord.of(bare, in: names), let index = names.firstIndex(of: near) else { return nil }
    return " Did you mean “\(candidates[index])”?"
  }

  private func hint(_ positionals: [CommandLineShape]) -> String {
    positionals.isEmpty
      ? " \(name) takes only options." : " \(name) takes \(positionals.map(\.name).joined(separator: " "))."
  }
}
