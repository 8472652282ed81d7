/// A ledger could not do its work.
public struct LedgerError: Error, Sendable, CustomStringConvertible {
  /// The kinds of failure. New ones may come: switch with a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, stable.
    public let description: String

    private init(_ name: String) {
      description = name
    }

    /// The disk is full.
    public static let full = Code("full")
    /// The file, or its folder, cannot be written.
    public static let readOnly = Code("read_only")
    /// Another program holds the ledger, and did not let go in time.
    public static let locked = Code("locked")
    /// The file is damaged, or is not a ledger.
    public static let corrupt = Code("corrupt")
    /// The file is a ledger of a newer version.
    public static let version = Code("version")
    /// The file cannot be opened.
    public static let unavailable = Code("unavailable")
    /// The ledger was closed.
    public static let closed = Code("closed")
    /// Anything else; the message says what.
    public static let other = Code("other")
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
