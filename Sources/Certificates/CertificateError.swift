/// A certificate or a key could not be read, made or used.
public struct CertificateError: Error, Sendable {
  /// The kinds of failure. New ones may come: switch with a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, stable, for logs and JSON.
    public let description: String

    private init(_ name: String) {
      description = name
    }

    /// The bytes are not one whole certificate or key, or bytes follow it.
    public static let damaged = Code("damaged")
    /// The key is of a kind that is not used here, such as RSA.
    public static let unsupportedKey = Code("unsupported_key")
    /// The key is of the right kind and makes no sense, such as a public half that is not the private one's.
    public static let invalidKey = Code("invalid_key")
    /// The key and the certificate do not belong together.
    public static let mismatch = Code("mismatch")
    /// The certificate is no authority's, so it cannot issue others.
    public static let notAnAuthority = Code("not_an_authority")
    /// What was asked for cannot stand in a certificate: an identifier, a name, a time or a serial.
    public static let invalidRequest = Code("invalid_request")
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

extension CertificateError: CustomStringConvertible {
  /// The message with its code.
  public var description: String { "\(message) (\(code))" }
}
