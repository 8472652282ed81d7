/// The primitives that the core needs and does not have itself.
///
/// An implementation is stateless or does its own locking: calls come from many tasks at once.
public protocol Cryptography: Sendable {
  /// SHA-256 (FIPS 180-4) of the bytes.
  func sha256(_ bytes: Span<UInt8>) -> Digest

  /// Whether `signature` is `key`'s signature of `message`. False for everything that is not: a wrong size, a key
  /// that is no point on its curve, a signature that is out of range. It never throws and never traps on input.
  func verify(_ signature: Span<UInt8>, of message: Span<UInt8>, by key: PublicKey) -> Bool

  /// `count` bytes from the system's cryptographic random source. Where that source fails the process ends: there
  /// is no safe way to go on.
  func randomBytes(_ count: Int) -> [UInt8]
}

/// A private key that signs. The key itself never leaves the implementation, so a hardware key can be one.
public protocol SigningKey: Sendable {
  /// The public half.
  var publicKey: PublicKey { get }

  /// The signature of `message`, `publicKey.algorithm.signatureSize` bytes.
  func sign(_ message: Span<UInt8>) throws(SigningError) -> [UInt8]
}

/// The key could not sign: the hardware that holds it is gone or refused, or the library failed.
public struct SigningError: Error, Sendable {
  /// What happened, for people. It never holds key material.
  public let message: String

  /// An error with its explanation.
  public init(_ message: String) {
    self.message = message
  }
}
