/// A program, or one of its subcommands: what may stand on its command line, and what its help page says.
package struct CommandLineCommand: Sendable {
  /// A command line that works, and what it does.
  package struct Example: Sendable {
    /// The command line.
    package let line: String
    /// What it does: one sentence.
    package let text: String

    /// An example.
    package init(_ line: String, _ text: String) {
      self.line = line
      self.text = text
    }
  }

  /// One line of the help page's exit statuses.
  package struct Outcome: Sendable {
    /// The status.
    package let status: ExitStatus
    /// What it means here.
    package let text: String

    /// An outcome; without a text of its own it has the status's.
    package init(_ status: ExitStatus, _ text: String? = nil) {
      self.status = status
      self.text = text ?? status.text
    }
  }

  /// The name that is typed.
  package let name: String
  /// What it does: one line.
  package let summary: String
  /// What else the help page says: paragraphs.
  package let discussion: [String]
  /// Its flags, options and positionals, in the help page's order.
  package let arguments: [any CommandLineDeclaration]
  /// Its subcommands. A command with subcommands has no arguments of its own.
  package let subcommands: [CommandLineCommand]
  /// Command lines that work.
  package let examples: [Example]
  /// How it may end. Usage errors are added.
  package let outcomes: [Outcome]

  /// A command.
  ///
  /// - Precondition: no name is declared twice, and a command has arguments or subcommands, not both.
  package init(
    _ name: String, summary: String, discussion: [String] = [], arguments: [any CommandLineDeclaration] = [],
    subcommands: [CommandLineCommand] = [], examples: [Example] = [], outcomes: [Outcome] = [Outcome(.success)]
  ) {
    precondition(arguments.isEmpty || subcommands.isEmpty, "arguments belong to the subcommands")
    let names = arguments.map(\.shape.spelling) + subcommands.map(\.name) + ["--help", "--version"]
    precondition(Set(names).count == names.count, "a name is declared twice")
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.arguments = arguments
    self.subcommands = subcommands
    self.examples = examples
    self.outcomes = outcomes
  }
}
