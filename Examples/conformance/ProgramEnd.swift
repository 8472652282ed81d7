internal import ExampleSupport

/// How the program ends.
enum ProgramEnd {
  /// With this status.
  case status(ExitStatus)
  /// By this signal, which had asked it to end.
  case signal(ProcessSignal)

  /// Ends the process.
  func leave() -> Never {
    switch self {
    case .status(let status): ExampleSupport.leave(status)
    case .signal(let signal): signal.endProcess()
    }
  }
}
