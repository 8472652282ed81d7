internal import CheckIn
internal import ExampleSupport

/// What the program is to be, and what else may stand on its command line then.
enum ConformanceMode {
  /// Says which checks there are.
  case list
  /// Tests a transport with both ends in this process.
  case test(Endpoint)
  /// Is the other process.
  case serve(Endpoint)
  /// Tests against another process.
  case against(Endpoint)

  /// The mode that the command line asks for.
  ///
  /// - Throws: ``ExampleError`` with ``ExitStatus/usage`` for none, for two, and for an option that would do nothing.
  static func of(_ values: CommandLineValues) throws(ExampleError) -> ConformanceMode {
    typealias Command = ConformanceCommand
    let choice: [any CommandLineDeclaration] = [Command.only, Command.skip]
    let results: [any CommandLineDeclaration] = [Command.junit, Command.expectedFailures, Command.table]
    if values[Command.list] {
      try allow(choice + [Command.list, Command.json], in: values, with: Command.list)
      return .list
    }
    let modes = [Command.transport, Command.serve, Command.against]
    guard let mode = modes.first(where: { values.has($0) }), modes.count(where: { values.has($0) }) == 1,
      let endpoint = values[mode]
    else { throw ExampleError(.usage, "Give one of --transport, --serve and --against, or --list.") }
    let always: [any CommandLineDeclaration] = [mode, Command.timeFactor, Command.json]
    switch mode.shape.name {
    case Command.serve.shape.name:
      try allow(always, in: values, with: mode)
      return .serve(endpoint)
    case Command.against.shape.name:
      try allow(always + choice + results, in: values, with: mode)
      return .against(endpoint)
    default:
      try allow(always + choice + results + [Command.volumeFactor, Command.queueBound, Command.packetSize], in: values, with: mode)
      return .test(endpoint)
    }
  }

  private static func allow(
    _ allowed: [any CommandLineDeclaration], in values: CommandLineValues, with mode: any CommandLineDeclaration
  ) throws(ExampleError) {
    let names = Set(allowed.map(\.shape.spelling))
    let idle = ConformanceCommand.command.arguments.filter { values.has($0) && !names.contains($0.shape.spelling) }
    guard !idle.isEmpty else { return }
    let list = idle.map(\.shape.spelling).joined(separator: " and ")
    throw ExampleError(.usage, "With \(mode.shape.spelling) there is no use for \(list). Leave that out.")
  }
}
