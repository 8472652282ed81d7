internal import COpenSSL
public import CheckInCore

/// An event's issuer: the key and the certificate with which an organizer issues the others.
public struct CertificateAuthority: Sendable {
  /// The issuer's key.
  public let key: PrivateKey
  /// The issuer's certificate, which kiosks and attendees trust.
  public let certificate: Certificate

  /// 9999-12-31T23:59:59Z, by which a certificate says that it has no end (RFC 5280 §4.1.2.5).
  public static let noEnd: Int64 = 253_402_300_799

  /// Takes a key and a certificate that belong together. The certificate must be an authority's.
  ///
  /// - Throws: ``CertificateError/Code/mismatch`` or ``CertificateError/Code/notAnAuthority``.
  public init(key: PrivateKey, certificate: Certificate) throws(CertificateError) {
    guard certificate.publicKey == key.publicKey else {
      throw CertificateError(
        .mismatch, "The issuer's key and the certificate of “\(certificate.shownName)” do not belong together.")
    }
    guard unsafe X509_check_ca(certificate.pointer) == 1 else {
      throw CertificateError(
        .notAnAuthority, "The certificate of “\(certificate.shownName)” is no issuer's: it may not sign others.")
    }
    self.key = key
    self.certificate = certificate
  }

  /// Makes an event's issuer: a certificate that the key itself signs, and that can issue others directly, but no further
  /// issuers (a path length of zero).
  ///
  /// - Parameters:
  ///   - event: the event's identifier, 1 to 256 bytes, which stands in the certificate's URI twice: an issuer has no
  ///     other identifier than its event's.
  ///   - eventName: the event's name, for people. It is cut to 64 characters.
  ///   - notBefore: the first second of validity, since 1970-01-01T00:00:00Z.
  ///   - notAfter: the last second of validity.
  /// - Throws: ``CertificateError/Code/invalidRequest``, or ``CertificateError/Code/library``.
  public static func make(
    event: String, eventName: String, key: PrivateKey, notBefore: Int64, notAfter: Int64
  ) throws(CertificateError) -> CertificateAuthority {
    let identifier = try PublicKeyInfo.identifier(of: key.publicKey)
    let request = try CertificateRequest(
      name: eventName, serial: nil, publicKey: key.publicKey, notBefore: notBefore, notAfter: notAfter,
      extensions: [
        .authority, .signsCertificates, .identity(try identity(event: event, role: .issuer, id: event)),
        .subjectKey(identifier), .authorityKey(identifier),
      ])
    return try CertificateAuthority(key: key, certificate: request.signed(by: key, issuer: nil))
  }

  /// Issues a certificate of any role but the issuer's own, for the event of this issuer.
  ///
  /// - Parameters:
  ///   - role: any but ``CertificateRole/issuer``.
  ///   - id: the holder's identifier, 1 to 256 bytes.
  ///   - name: the holder's name, for people. It is cut to 64 characters (RFC 5280); the ticket has the whole.
  ///   - publicKey: the holder's key.
  ///   - notBefore: the first second of validity, since 1970-01-01T00:00:00Z. It lies in the issuer's own time.
  ///   - notAfter: the last second of validity, in the issuer's own time too.
  ///   - serial: a number above zero of at most 20 bytes, most significant first; nil: a random one.
  /// - Throws: ``CertificateError/Code/invalidRequest``, or ``CertificateError/Code/library``.
  public func issue(
    _ role: CertificateRole, id: String, name: String, publicKey: PublicKey, notBefore: Int64, notAfter: Int64,
    serial: [UInt8]? = nil
  ) throws(CertificateError) -> Certificate {
    guard role != .issuer else {
      throw CertificateError(.invalidRequest, "An issuer is made for each event, and not issued by another.")
    }
    guard let event = certificate.event else {
      throw CertificateError(
        .invalidRequest, "The issuer's certificate “\(certificate.shownName)” does not say for which event it issues.")
    }
    guard notBefore >= certificate.notBefore, notAfter <= certificate.notAfter else {
      throw CertificateError(
        .invalidRequest,
        "The certificate for “\(name)” would be valid longer than its issuer's own. Choose times within the issuer's.")
    }
    let request = try CertificateRequest(
      name: name, serial: serial, publicKey: publicKey, notBefore: notBefore, notAfter: notAfter,
      extensions: [
        .noAuthority, .signs, .use(role),
        .identity(try CertificateAuthority.identity(event: event, role: role, id: id)),
        .subjectKey(try PublicKeyInfo.identifier(of: publicKey)), .authorityKey(try subjectKeyIdentifier()),
      ])
    return try request.signed(by: key, issuer: certificate)
  }

  private static func identity(
    event: String, role: CertificateRole, id: String
  ) throws(CertificateError) -> CertificateIdentity {
    guard let identity = CertificateIdentity(event: event, role: role, id: id) else {
      throw CertificateError(
        .invalidRequest,
        "An identifier of an event or a person has 1 to 256 bytes and no control characters. Give another one.")
    }
    return identity
  }

  /// The identifier of the issuer's key as its own certificate has it.
  private func subjectKeyIdentifier() throws(CertificateError) -> [UInt8] {
    guard let identifier = unsafe X509_get0_subject_key_id(certificate.pointer) else {
      return try PublicKeyInfo.identifier(of: key.publicKey)
    }
    return unsafe CertificateParts.content(identifier)
  }
}
