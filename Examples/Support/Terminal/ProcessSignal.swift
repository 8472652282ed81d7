internal import Glibc

/// A signal that the programs listen to.
package enum ProcessSignal: Hashable, Sendable, CaseIterable {
  /// The terminal has gone, or someone asks to read the settings anew.
  case hangup
  /// Ctrl-C.
  case interrupt
  /// Ctrl-\.
  case quit
  /// A polite request to end.
  case terminate
  /// The terminal has another size.
  case windowChange
  /// Ctrl-Z.
  case stop
  /// The program goes on after a stop.
  case `continue`

  /// The system's number.
  package var number: Int32 {
    switch self {
    case .hangup: SIGHUP
    case .interrupt: SIGINT
    case .quit: SIGQUIT
    case .terminate: SIGTERM
    case .windowChange: SIGWINCH
    case .stop: SIGTSTP
    case .continue: SIGCONT
    }
  }

  /// The signal of this number.
  package init?(number: Int32) {
    guard let signal = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = signal
  }

  /// Whether it asks the program to end.
  package var endsProgram: Bool {
    switch self {
    case .hangup, .interrupt, .quit, .terminate: true
    case .windowChange, .stop, .continue: false
    }
  }

  /// Those that ask the program to end.
  package static let ending = allCases.filter(\.endsProgram)
}
