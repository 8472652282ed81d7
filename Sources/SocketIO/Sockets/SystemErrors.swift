public import CheckIn
internal import Glibc

/// An error number of the operating system, as the cause of a ``TransportError``.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number, as in `errno`.
  public let number: Int32

  /// An error of that number.
  public init(_ number: Int32) {
    self.number = number
  }

  /// The system's own words for it.
  public var description: String {
    // Unsafe: the text is the C library's own and is copied at once.
    unsafe String(cString: strerror(number))
  }
}

extension TransportError {
  /// What an error number of a socket call means.
  ///
  /// - Parameter what: what could not be done, to what: the beginning of a sentence, without a full stop.
  public init(system number: Int32, _ what: String) {
    let code: Code
    var advice = ""
    switch number {
    case ECONNREFUSED, ENOENT, ENOTDIR:
      code = .refused
      advice = " Is the other program running, and at this address?"
    case ECONNRESET, EPIPE, ENOTCONN, ECONNABORTED, ENETRESET: code = .lost
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EAFNOSUPPORT:
      code = .unreachable
      advice = " Check the network, and the address."
    case ETIMEDOUT: code = .timedOut
    case EADDRINUSE:
      code = .addressInUse
      advice = " End the other program, or take another address."
    case EADDRNOTAVAIL, ENODEV:
      code = .addressUnavailable
      advice = " Take an address of this machine."
    case EACCES, EPERM, EROFS: code = .permissionDenied
    case EMFILE, ENFILE, ENOBUFS, ENOMEM, ENOSPC:
      code = .resourcesExhausted
      advice = " Raise the limit (ulimit -n), or wait until others are done."
    case EOPNOTSUPP, EPROTONOSUPPORT, ESOCKTNOSUPPORT: code = .addressUnavailable
    case EPROTOTYPE: code = .unsupported
    default: code = .other
    }
    let cause = SystemError(number)
    self.init(code, "\(what): \(cause).\(advice)", cause: cause)
  }

  static func cancelled(_ what: String) -> TransportError {
    TransportError(.cancelled, "\(what) was cancelled.")
  }

  static func timedOut(_ what: String) -> TransportError {
    TransportError(.timedOut, "\(what) did not end in time.")
  }

  static let connectionClosed = TransportError(.closed, "This side has closed the connection.")
  static let listenerClosed = TransportError(.closed, "This listener was closed.")
  static let finishedSending = TransportError(.closed, "This side has finished sending.")
  static let loopsClosed = TransportError(.closed, "The event loops were shut down.")
}
