package import CheckIn

/// Ends a program: what to say, and what to tell the shell.
package struct ExampleError: Error, Sendable, CustomStringConvertible {
  /// What to tell the shell.
  package let status: ExitStatus
  /// What happened, to what, what to do.
  package let description: String

  /// An error of the program's own.
  package init(_ status: ExitStatus, _ message: String) {
    self.status = status
    description = message
  }

  /// A file's error.
  package init(_ error: FileError) {
    self.init(error.status, error.message)
  }

  /// An address that cannot be used: the command line is wrong where no machine could use it.
  package init(_ error: TransportError) {
    let isUsage = [.unsupported, .addressMalformed].contains(error.code)
    self.init(isUsage ? .usage : .unavailable, error.message)
  }

  /// A ledger that cannot be used.
  package init(_ error: LedgerError) {
    self.init(.inputOutput, error.message)
  }

  /// A kiosk or an attendee that cannot work.
  package init(_ error: CheckInError) {
    switch error.code {
    case .insecureTransport, .configuration: self.init(.usage, error.message)
    case .ledger: self.init(.inputOutput, error.message)
    default:
      if let cause = error.cause as? TransportError {
        self.init(cause)
      } else {
        self.init(.unavailable, error.message)
      }
    }
  }

  /// Says it on standard error, and ends the process.
  package func leave(program: String) -> Never {
    LineOutput.standardError.say("\(program): \(description)")
    ExampleSupport.leave(status)
  }
}
