/// How the text of one value is read, and how the help page names it.
package struct CommandLineFormat<Value: Sendable>: Sendable {
  /// The name in capitals, such as `FILE`.
  package let valueName: String
  /// The words that are allowed, where only some are.
  package let choices: [String]
  /// Reads the text, or says what is wrong with it, as the end of a sentence.
  package let read: @Sendable (String) -> Result<Value, CommandLineValueFault>

  /// A format of one's own.
  package init(
    _ valueName: String, choices: [String] = [],
    read: @escaping @Sendable (String) -> Result<Value, CommandLineValueFault>
  ) {
    self.valueName = valueName
    self.choices = choices
    self.read = read
  }
}

/// What is wrong with a value: the end of the sentence “… cannot be used: …”.
package struct CommandLineValueFault: Error, Sendable {
  /// The end of the sentence, without its full stop.
  package let message: String

  /// A fault.
  package init(_ message: String) {
    self.message = message
  }
}

extension CommandLineFormat where Value == String {
  /// Any text that is not empty.
  package static func text(_ valueName: String) -> CommandLineFormat {
    CommandLineFormat(valueName) { $0.isEmpty ? .failure(CommandLineValueFault("it is empty")) : .success($0) }
  }

  /// The path of a file.
  package static var file: CommandLineFormat { text("FILE") }

  /// The path of a folder.
  package static var directory: CommandLineFormat { text("DIR") }

  /// One of some words.
  package static func choice(_ valueName: String, of words: [String]) -> CommandLineFormat {
    CommandLineFormat(valueName, choices: words) { text in
      if words.contains(text) { return .success(text) }
      let guess = NearestWord.of(text, in: words).map { "; did you mean “\($0)”?" } ?? ""
      return .failure(CommandLineValueFault("it is none of \(words.joined(separator: ", "))\(guess)"))
    }
  }
}

extension CommandLineFormat where Value == Int {
  /// A whole number in a range.
  package static func integer(_ valueName: String, in range: ClosedRange<Int>) -> CommandLineFormat {
    CommandLineFormat(valueName) { text in
      guard let number = Int(text), range.contains(number) else {
        return .failure(
          CommandLineValueFault("it is not a whole number from \(range.lowerBound) to \(range.upperBound)"))
      }
      return .success(number)
    }
  }
}

extension CommandLineFormat where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of an enumeration's words.
  package static func oneOf(_ type: Value.Type, _ valueName: String) -> CommandLineFormat {
    let words = CommandLineFormat<String>.choice(valueName, of: Value.allCases.map(\.rawValue))
    return CommandLineFormat(valueName, choices: words.choices) { text in
      words.read(text).flatMap { word in
        Value(rawValue: word).map { .success($0) } ?? .failure(CommandLineValueFault("it is unknown"))
      }
    }
  }
}
