public import CheckInCore

/// An event's issuer: the key and the certificate with which an organizer issues the others.
public struct CertificateAuthority: Sendable {
  /// The issuer's key.
  public let key: PrivateKey
  /// The issuer's certificate, which kiosks and attendees trust.
  public let certificate: Certificate

  /// Takes a key and a certificate that belong together. The certificate must be an authority's.
  public init(key: PrivateKey, certificate: Certificate) throws(CertificateError) {
    self.key = key
    self.certificate = certificate
  }

  /// Makes an event's issuer: a certificate that the key itself signs, and that can issue others directly.
  public static func make(
    event: String, eventName: String, key: PrivateKey, notBefore: Int64, notAfter: Int64
  ) throws(CertificateError) -> CertificateAuthority {
    throw CertificateError(.library, "skeleton")
  }

  /// Issues a kiosk's or an attendee's certificate.
  public func issue(
    _ role: CertificateRole, id: String, name: String, publicKey: PublicKey, notBefore: Int64, notAfter: Int64,
    serial: [UInt8]? = nil
  ) throws(CertificateError) -> Certificate {
    throw CertificateError(.library, "skeleton")
  }
}
