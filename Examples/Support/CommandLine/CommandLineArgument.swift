/// One thing that may stand on a command line, as the help page and the parser see it.
package struct CommandLineShape: Sendable {
  /// How it is written.
  package enum Kind: Sendable {
    /// `--name`, without a value.
    case flag
    /// `--name value` or `--name=value`.
    case option
    /// A word without a name, by its place.
    case positional
  }

  /// How it is written.
  package let kind: Kind
  /// The name without its dashes; for a positional the name in capitals.
  package let name: String
  /// The name of its value in capitals; empty for a flag.
  package let valueName: String
  /// What it is for: sentences.
  package let help: String
  /// Whether it must be there.
  package let isRequired: Bool
  /// Whether it may stand more than once.
  package let isRepeatable: Bool
  /// The words that are allowed, where only some are.
  package let choices: [String]
  /// What holds when it is not given, for the help page.
  package let defaultText: String?

  /// How it is written in a message.
  package var spelling: String { kind == .positional ? name : "--\(name)" }
}

/// A declaration whose value type is forgotten, so that a command can hold many.
package protocol CommandLineDeclaration: Sendable {
  /// What the parser and the help page need to know.
  var shape: CommandLineShape { get }
  /// The value from the texts that were given, in order; none when it was not given.
  func anyValue(from texts: [String]) throws(CommandLineError) -> any Sendable
}

/// A declared flag, option or positional, and at the same time the key to its value in ``CommandLineValues``.
package struct CommandLineArgument<Value: Sendable>: CommandLineDeclaration {
  package let shape: CommandLineShape
  private let value: @Sendable ([String]) throws(CommandLineError) -> Value

  package func anyValue(from texts: [String]) throws(CommandLineError) -> any Sendable {
    try value(texts)
  }

  fileprivate init<Item>(
    _ kind: CommandLineShape.Kind, _ name: String, _ format: CommandLineFormat<Item>, _ help: String,
    required: Bool = false, repeatable: Bool = false, commas: Bool = false, defaultText: String? = nil,
    combine: @escaping @Sendable ([Item]) -> Value
  ) {
    let shape = CommandLineShape(
      kind: kind, name: name, valueName: commas ? "\(format.valueName),…" : format.valueName, help: help,
      isRequired: required, isRepeatable: repeatable, choices: format.choices, defaultText: defaultText)
    self.shape = shape
    value = { texts throws(CommandLineError) in
      var items: [Item] = []
      for text in texts {
        let pieces = commas ? text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) : [text]
        for piece in pieces {
          switch format.read(piece) {
          case .success(let item): items.append(item)
          case .failure(let fault):
            let end = fault.message.hasSuffix("?") ? "" : "."
            let shown = piece.count > 60 ? "\(piece.prefix(60))…" : piece
            throw CommandLineError("“\(shown.printable)” cannot be used for \(shape.spelling): \(fault.message)\(end)")
          }
        }
      }
      return combine(items)
    }
  }
}

extension CommandLineArgument where Value == Bool {
  /// A flag: true when it stands there.
  package static func flag(_ name: String, _ help: String) -> CommandLineArgument {
    // The parser gives a flag the text of its own name.
    CommandLineArgument(.flag, name, CommandLineFormat("") { .success($0) }, help) { !$0.isEmpty }
  }
}

extension CommandLineArgument {
  /// An option that may be left out.
  package static func option<Item>(
    _ name: String, _ format: CommandLineFormat<Item>, _ help: String
  ) -> CommandLineArgument where Value == Item? {
    CommandLineArgument(.option, name, format, help) { $0.first }
  }

  /// An option with a value for when it is left out.
  package static func option(
    _ name: String, _ format: CommandLineFormat<Value>, default value: Value, shown: String, _ help: String
  ) -> CommandLineArgument {
    CommandLineArgument(.option, name, format, help, defaultText: shown) { $0.first ?? value }
  }

  /// An option that must be given.
  package static func required(
    _ name: String, _ format: CommandLineFormat<Value>, _ help: String
  ) -> CommandLineArgument {
    // The parser has refused a command line without it.
    CommandLineArgument(.option, name, format, help, required: true) { $0[0] }
  }

  /// An option that may be given more than once.
  package static func repeated<Item>(
    _ name: String, _ format: CommandLineFormat<Item>, required: Bool = false, _ help: String
  ) -> CommandLineArgument where Value == [Item] {
    CommandLineArgument(.option, name, format, help, required: required, repeatable: true) { $0 }
  }

  /// An option whose value is a list with commas.
  package static func list<Item>(
    _ name: String, _ format: CommandLineFormat<Item>, default value: [Item], shown: String, _ help: String
  ) -> CommandLineArgument where Value == [Item] {
    CommandLineArgument(.option, name, format, help, commas: true, defaultText: shown) { $0.isEmpty ? value : $0 }
  }

  /// A word without a name that must be given.
  package static func positional(
    _ name: String, _ format: CommandLineFormat<Value>, _ help: String
  ) -> CommandLineArgument {
    CommandLineArgument(.positional, name, format, help, required: true) { $0[0] }
  }

  /// A word without a name that may be left out; it stands behind those that must be given.
  package static func optionalPositional<Item>(
    _ name: String, _ format: CommandLineFormat<Item>, _ help: String
  ) -> CommandLineArgument where Value == Item? {
    CommandLineArgument(.positional, name, format, help) { $0.first }
  }
}
