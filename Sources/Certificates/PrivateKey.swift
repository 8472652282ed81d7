internal import COpenSSL
public import CheckInCore

/// A private key held by OpenSSL 3, which wipes it with the last reference (R20). Ed25519 or P-256.
///
/// SAFETY: the pointer is set once, and no function that changes the key is called after `init`. The library allows any
/// number of threads to read and sign with one key at once.
@safe public final class PrivateKey: @unchecked Sendable {
  /// The library's key, an `EVP_PKEY`. It lives as long as this object.
  package let pointer: OpaquePointer
  /// The public half.
  public let publicKey: PublicKey

  /// Reads an unencrypted PKCS#8 key (RFC 5958) in DER. The caller's bytes stay the caller's to wipe.
  public init(pkcs8: Span<UInt8>) throws(CertificateError) {
    throw CertificateError(.library, "skeleton")
  }

  /// Makes a new key from the system's random source.
  public static func generate(_ algorithm: SignatureAlgorithm) throws(CertificateError) -> PrivateKey {
    throw CertificateError(.library, "skeleton")
  }

  deinit {
    unsafe EVP_PKEY_free(pointer)
  }

  /// The key in unencrypted PKCS#8, DER.
  public func pkcs8() throws(CertificateError) -> SecretBytes {
    throw CertificateError(.library, "skeleton")
  }
}
