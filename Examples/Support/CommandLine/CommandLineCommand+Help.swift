extension CommandLineCommand {
  /// How wide a help page is.
  package static let helpWidth = 80

  /// The help page of the command that is reached by `path`, such as `organizer issue`; it ends with a line break.
  package func helpPage(path: String) -> String {
    var lines = TextWrap.lines("\(path) – \(summary)", width: Self.helpWidth)
    lines += [""] + usage(path: path)
    for paragraph in discussion {
      lines += [""] + TextWrap.lines(paragraph, width: Self.helpWidth)
    }
    let shapes = arguments.map(\.shape)
    lines += section("Arguments:", shapes.filter { $0.kind == .positional }.map { ($0.name, describe($0)) })
    lines += section("Subcommands:", subcommands.map { ($0.name, $0.summary) })
    lines += section(
      "Options:",
      shapes.filter { $0.kind != .positional }.map { ("\($0.spelling) \($0.valueName)", describe($0)) } + [
        ("-h, --help", "Print this page."), ("--version", "Print the version."),
      ])
    if !subcommands.isEmpty {
      lines += ["", "“\(path) SUBCOMMAND --help” says more about each."]
    }
    if !examples.isEmpty {
      lines += ["", "Examples:"]
      for example in examples {
        lines += TextWrap.commandLine(example.line, width: Self.helpWidth, indent: 2)
        lines += TextWrap.lines(example.text, width: Self.helpWidth, indent: 6)
      }
    }
    let statuses = outcomes.contains { $0.status == .usage } ? outcomes : outcomes + [Outcome(.usage)]
    lines += section(
      "Exit status:",
      statuses.sorted { $0.status.rawValue < $1.status.rawValue }.map { ("\($0.status.rawValue)", $0.text) })
    return lines.joined(separator: "\n") + "\n"
  }

  private func usage(path: String) -> [String] {
    guard subcommands.isEmpty else { return ["Usage: \(path) SUBCOMMAND …"] }
    var words: [String] = []
    for shape in arguments.map(\.shape) where shape.kind == .positional {
      words.append(shape.isRequired ? shape.name : "[\(shape.name)]")
    }
    for shape in arguments.map(\.shape) where shape.kind != .positional && shape.isRequired {
      words.append("\(shape.spelling) \(shape.valueName)\(shape.isRepeatable ? " …" : "")")
    }
    if arguments.contains(where: { $0.shape.kind != .positional && !$0.shape.isRequired }) {
      words.append("[options]")
    }
    // Each piece stays whole when the line is wrapped.
    let unbroken = words.map { $0.replacing(" ", with: "\u{a0}") }
    return TextWrap.lines("Usage: \(path) \(unbroken.joined(separator: " "))", width: Self.helpWidth, hanging: 6)
      .map { $0.replacing("\u{a0}", with: " ") }
  }

  private func describe(_ shape: CommandLineShape) -> String {
    var text = shape.help
    if !shape.choices.isEmpty {
      text += " One of: \(shape.choices.joined(separator: ", "))."
    }
    if shape.isRepeatable {
      text += " May be given more than once."
    }
    if shape.isRequired, shape.kind == .option {
      text += " Required."
    }
    if let value = shape.defaultText {
      text += " Default: \(value)."
    }
    return text
  }

  private func section(_ title: String, _ rows: [(name: String, text: String)]) -> [String] {
    guard !rows.isEmpty else { return [] }
    let names = rows.map { $0.name.trimmingSpaces }
    let column = min(24, (names.map(\.count).max() ?? 0) + 4)
    var lines = ["", title]
    for (name, row) in zip(names, rows) {
      let text = TextWrap.lines(row.text, width: Self.helpWidth, indent: column)
      let start = "  \(name)"
      if start.count + 2 <= column, let first = text.first {
        lines.append(start + first.dropFirst(start.count))
        lines += text.dropFirst()
      } else {
        lines.append(start)
        lines += text
      }
    }
    return lines
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
