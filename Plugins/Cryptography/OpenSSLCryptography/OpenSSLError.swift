internal import COpenSSL

/// A key could not be read, written or made.
public struct OpenSSLError: Error, Sendable {
  /// The kinds of failure. New ones may come: switch with a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, stable, for logs and JSON.
    public let description: String

    private init(_ name: String) {
      description = name
    }

    /// The bytes are no PEM: there is no `-----BEGIN …-----` line.
    public static let notPEM = Code("not_pem")
    /// The PEM begins and does not end, or its base64 is damaged.
    public static let damaged = Code("damaged")
    /// The PEM holds something else, such as a certificate where a key belongs.
    public static let wrongContent = Code("wrong_content")
    /// The private key is protected by a password, and none is asked for here.
    public static let encrypted = Code("encrypted")
    /// The key is of a kind that is not used here, such as RSA.
    public static let unsupportedKey = Code("unsupported_key")
    /// The key is of the right kind and makes no sense, such as a point that is not on its curve.
    public static let invalidKey = Code("invalid_key")
    /// The library failed; the cause says how.
    public static let library = Code("library")
  }

  /// Which kind of failure.
  public let code: Code
  /// What happened, to what, what to do: one sentence or two for people. It never holds key material.
  public let message: String
  /// What lay beneath, where something did.
  public let cause: (any Error)?

  /// An error.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }
}

extension OpenSSLError: CustomStringConvertible {
  /// The message with its code.
  public var description: String { "\(message) (\(code))" }
}

/// What the library itself said, as a cause.
struct LibraryError: Error, CustomStringConvertible {
  let description: String

  /// Takes the newest entry from this thread's queue of errors and empties the queue; nil when there is none.
  static func take() -> LibraryError? {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    guard code != 0 else { return nil }
    // Unsafe: C returns a constant string of the library's own, or null.
    guard let reason = unsafe ERR_reason_error_string(code) else { return LibraryError(description: "error \(code)") }
    return LibraryError(description: unsafe String(cString: reason))
  }
}
