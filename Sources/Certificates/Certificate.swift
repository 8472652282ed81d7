internal import COpenSSL
public import CheckInCore

/// An X.509 certificate (RFC 5280), parsed once and immutable.
///
/// SAFETY: the pointer is set once, and no function that changes the certificate is called after `init`, which also
/// makes the library fill its caches. The library allows any number of threads to read it at once.
@safe public final class Certificate: @unchecked Sendable {
  /// The library's certificate, an `X509`. It lives as long as this object.
  package let pointer: OpaquePointer
  /// The certificate's DER encoding.
  public let der: [UInt8]
  /// The common name, for people.
  public let name: String
  /// What the holder is; nil: it does not say.
  public let role: CertificateRole?
  /// The event's identifier; nil: it does not say.
  public let event: String?
  /// The holder's identifier; nil: it does not say.
  public let id: String?
  /// The first second of validity, since 1970-01-01T00:00:00Z.
  public let notBefore: Int64
  /// The last second of validity, since 1970-01-01T00:00:00Z.
  public let notAfter: Int64
  /// The serial number, most significant byte first, without leading zeros.
  public let serial: [UInt8]
  /// The holder's public key; nil: it is of a kind that is not used here.
  public let publicKey: PublicKey?
  /// Whether it may issue certificates: the CA flag.
  public let isAuthority: Bool
  /// SHA-256 of ``der``.
  public let fingerprint: Digest

  /// Reads one certificate in DER: the whole of it, and no byte more.
  public init(der: Span<UInt8>) throws(CertificateError) {
    throw CertificateError(.library, "skeleton")
  }

  deinit {
    unsafe X509_free(pointer)
  }
}

extension Certificate: Hashable {
  /// Whether both are the same, byte for byte.
  public static func == (left: Certificate, right: Certificate) -> Bool {
    left.der == right.der
  }

  /// By the fingerprint.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fingerprint)
  }
}
