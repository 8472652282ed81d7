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

  /// Whether the names in it are text that can be shown, and its identity, where it claims one, can be read.
  let namesAreWellFormed: Bool
  /// Whether the library can read the extensions that it knows, and none is there twice (RFC 5280 §4.2).
  let extensionsAreWellFormed: Bool

  /// How large a certificate may be.
  static let largest = 65_536

  /// Reads one certificate in DER: the whole of it, and no byte more.
  ///
  /// It reads what there is and judges nothing: that is for ``CertificatePolicy``.
  ///
  /// - Throws: ``CertificateError/Code/damaged``.
  public init(der: Span<UInt8>) throws(CertificateError) {
    defer { ERR_clear_error() }
    guard der.count <= Certificate.largest, let pointer = unsafe Certificate.parse(der) else {
      throw CertificateError(.damaged, "The bytes are not one whole certificate in DER.", cause: LibraryError.take())
    }
    do throws(CertificateError) {
      guard let bytes = unsafe derEncoding({ unsafe i2d_X509(pointer, $0) }), bytes.count == der.count,
        bytes.indices.allSatisfy({ bytes[$0] == der[$0] })
      else { throw CertificateError(.damaged, "The certificate is not in DER, the one form that it may have.") }
      guard let serial = unsafe CertificateParts.serial(of: pointer) else {
        throw CertificateError(.damaged, "The certificate's serial number is not a positive number.")
      }
      guard let notBefore = unsafe CertificateParts.seconds(X509_get0_notBefore(pointer)),
        let notAfter = unsafe CertificateParts.seconds(X509_get0_notAfter(pointer))
      else { throw CertificateError(.damaged, "The certificate's times cannot be read.") }
      fingerprint = try sha256(bytes)
      self.der = bytes
      self.serial = serial
      self.notBefore = notBefore
      self.notAfter = notAfter
    } catch {
      unsafe X509_free(pointer)
      throw error
    }
    unsafe self.pointer = pointer
    extensionsAreWellFormed = unsafe CertificateParts.extensionsAreWellFormed(pointer)
    let subject = unsafe CertificateParts.name(of: pointer)
    let alternative = unsafe CertificateParts.identity(of: pointer)
    name = subject.common
    role = alternative.identity?.role
    event = alternative.identity?.event
    id = alternative.identity?.id
    namesAreWellFormed = subject.isWellFormed && alternative.isWellFormed
    publicKey = unsafe CertificateParts.publicKey(of: pointer)
    isAuthority = unsafe CertificateParts.isAuthority(pointer)
  }

  deinit {
    unsafe X509_free(pointer)
  }

  /// One of the library's certificates from all of the bytes; nil when they are none, or more than one.
  private static func parse(_ der: Span<UInt8>) -> OpaquePointer? {
    let size = der.count
    guard size > 0 else { return nil }
    // Unsafe: the library reads at most `size` bytes, during the call only.
    return unsafe der.withUnsafeBufferPointer { buffer in
      var position = buffer.baseAddress
      guard let pointer = unsafe d2i_X509(nil, &position, size) else { return nil }
      if unsafe position == buffer.baseAddress.map({ unsafe $0 + size }) { return unsafe pointer }
      unsafe X509_free(pointer)
      return nil
    }
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
