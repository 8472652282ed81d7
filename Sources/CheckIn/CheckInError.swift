/// A kiosk or an attendee could not do its work.
public struct CheckInError: Error, Sendable, CustomStringConvertible {
  /// The kinds of failure. New ones may come: switch with a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, stable, for logs and JSON.
    public let description: String

    private init(_ name: String) {
      description = name
    }

    /// The transport would carry the PIN where others can read it, and that was not allowed (R7).
    public static let insecureTransport = Code("insecure_transport")
    /// An address cannot be listened on or reached; the cause is a ``TransportError``.
    public static let transport = Code("transport")
    /// The ledger cannot be read; the cause is a ``LedgerError``.
    public static let ledger = Code("ledger")
    /// What was given does not fit together, such as a key and a credential that names another.
    public static let configuration = Code("configuration")
  }

  /// Which kind of failure.
  public let code: Code
  /// What happened, to what, what to do.
  public let message: String
  /// What lay beneath, where something did.
  public let cause: (any Error)?

  /// An error.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message with its code.
  public var description: String { "\(message) (\(code))" }
}

extension CheckInError {
  /// The transport's error, as this module's.
  package static func transport(_ error: TransportError) -> CheckInError {
    CheckInError(.transport, error.message, cause: error)
  }
}
