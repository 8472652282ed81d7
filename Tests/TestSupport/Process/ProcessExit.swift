/// How a program ended.
package enum ProcessExit: Hashable, Sendable, CustomStringConvertible {
  /// With this status.
  case status(Int32)
  /// Of this signal.
  case signal(Int32)

  /// What `waitpid` answered.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .status(waitStatus >> 8 & 0xff) : .signal(signal)
  }

  /// For failures of tests.
  package var description: String {
    switch self {
    case .status(let status): "exit status \(status)"
    case .signal(let signal): "signal \(signal)"
    }
  }
}
