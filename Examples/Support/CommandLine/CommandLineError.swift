/// The command line is wrong. The program ends with ``ExitStatus/usage``.
package struct CommandLineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, with the nearest right word where there is one: a sentence or two.
  package let message: String
  /// The command whose help would say more, such as `organizer issue`; empty until the parser knows it.
  package let command: String

  /// An error.
  package init(_ message: String, command: String = "") {
    self.message = message
    self.command = command
  }

  /// The lines for standard error.
  package var description: String {
    let program = command.split(separator: " ").first.map { "\($0): " } ?? ""
    return "\(program)\(message)\nTry “\(command) --help”."
  }
}
