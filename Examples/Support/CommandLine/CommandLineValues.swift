/// What a command line said, by the declarations that it was read with.
package struct CommandLineValues: Sendable {
  /// The subcommand that was named; nil for a program without subcommands.
  package let subcommand: String?
  private let values: [String: any Sendable]
  private let given: Set<String>

  package init(subcommand: String?, values: [String: any Sendable], given: Set<String> = []) {
    self.subcommand = subcommand
    self.values = values
    self.given = given
  }

  /// Whether the person has written it, whatever its value.
  package func has(_ argument: any CommandLineDeclaration) -> Bool {
    given.contains(argument.shape.spelling)
  }

  /// The value of a declared argument.
  ///
  /// - Precondition: the command that was parsed declares it.
  package subscript<Value>(argument: CommandLineArgument<Value>) -> Value {
    guard let value = values[argument.shape.spelling] as? Value else {
      preconditionFailure("\(argument.shape.spelling) is not declared by this command")
    }
    return value
  }
}
