/// A container could not be read or written (R24).
public struct ContainerError: Error, Sendable {
  /// The kinds of failure. New ones may come: switch with a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, stable, for logs and JSON.
    public let description: String

    private init(_ name: String) {
      description = name
    }

    /// The file is larger than a container may be, or has more in it.
    public static let tooLarge = Code("too_large")
    /// The file ends before the container does.
    public static let truncated = Code("truncated")
    /// The file is something else.
    public static let notPKCS12 = Code("not_pkcs12")
    /// The file begins as a container and makes no sense inside.
    public static let damaged = Code("damaged")
    /// Nothing protects the container against changes.
    public static let noMAC = Code("no_mac")
    /// The password is not the container's, or there is one and none was given.
    public static let wrongPassword = Code("wrong_password")
    /// The password cannot protect a container that is written.
    public static let unusablePassword = Code("unusable_password")
    /// The container is encrypted as nobody should any more: RC2, RC4, DES or 3DES.
    public static let outdatedCipher = Code("outdated_cipher")
    /// The container is encrypted, or its MAC made, in a way that is not known here.
    public static let unsupportedCipher = Code("unsupported_cipher")
    /// Opening the container would take too long: its iteration counts are beyond all measure.
    public static let tooMuchWork = Code("too_much_work")
    /// There is no private key in it.
    public static let noKey = Code("no_key")
    /// There are several private keys in it.
    public static let severalKeys = Code("several_keys")
    /// The private key is of a kind that is not used here, such as RSA.
    public static let unsupportedKey = Code("unsupported_key")
    /// There is no certificate in it.
    public static let noCertificate = Code("no_certificate")
    /// No certificate in it belongs to the private key.
    public static let mismatch = Code("mismatch")
    /// The certificate's time is over.
    public static let expired = Code("expired")
    /// The certificate's time has not begun.
    public static let notYetValid = Code("not_yet_valid")
    /// The library failed; the cause says how.
    public static let library = Code("library")
  }

  /// Which kind of failure.
  public let code: Code
  /// What happened, to what, what to do: for people. It holds neither a password nor key material.
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

extension ContainerError: CustomStringConvertible {
  /// The message with its code.
  public var description: String { "\(message) (\(code))" }
}
