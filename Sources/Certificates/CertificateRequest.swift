internal import COpenSSL
internal import CheckInCore

/// What is to stand in a certificate, checked, before it is signed.
struct CertificateRequest {
  /// How many characters a common name may have (RFC 5280 appendix A.1, ub-common-name).
  static let longestName = 64
  let name: String
  let serial: [UInt8]
  let publicKey: PublicKey
  let notBefore: Int64
  let notAfter: Int64
  let extensions: [CertificateExtension]

  /// A request.
  ///
  /// - Throws: ``CertificateError/Code/invalidRequest`` when a name, a time or a serial cannot stand in a certificate.
  init(
    name: String, serial: [UInt8]?, publicKey: PublicKey, notBefore: Int64, notAfter: Int64,
    extensions: [CertificateExtension]
  ) throws(CertificateError) {
    guard !name.isEmpty, name.isFreeOfControls else {
      throw CertificateError(
        .invalidRequest, "The name for a certificate is empty, or it holds a control character. Give another name.")
    }
    guard notBefore >= 0, notAfter <= CertificateAuthority.noEnd, notBefore <= notAfter else {
      throw CertificateError(
        .invalidRequest,
        "The times for a certificate make no sense. They lie between 1970 and 9999, and the end is not before the begin."
      )
    }
    self.serial = try CertificateRequest.serial(serial)
    // Cut where it is too long: it is for people, and the ticket has the whole.
    self.name = String(String.UnicodeScalarView(name.unicodeScalars.prefix(CertificateRequest.longestName)))
    self.publicKey = publicKey
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.extensions = extensions
  }

  /// The serial that was asked for, or 16 random bytes, without leading zeros.
  private static func serial(_ wanted: [UInt8]?) throws(CertificateError) -> [UInt8] {
    if let wanted {
      let serial = Array(wanted.drop { $0 == 0 })
      guard let first = serial.first, serial.count < 20 || (serial.count == 20 && first < 0x80) else {
        throw CertificateError(
          .invalidRequest, "A certificate's serial is a number above zero of at most 20 bytes (RFC 5280 §4.1.2.2).")
      }
      return serial
    }
    var bytes = [UInt8](repeating: 0, count: 16)
    // Unsafe: the library writes 16 bytes.
    guard unsafe RAND_bytes(&bytes, 16) == 1 else {
      throw CertificateError(.library, "The system's random source failed.", cause: LibraryError.take())
    }
    // Never zero, and always of the same length.
    bytes[0] = bytes[0] & 0x7f | 0x40
    return bytes
  }

  /// Signs the certificate.
  ///
  /// - Parameter issuer: whose name stands in it as the issuer's; nil: the certificate's own.
  func signed(by key: PrivateKey, issuer: Certificate?) throws(CertificateError) -> Certificate {
    guard let certificate = unsafe X509_new() else {
      throw CertificateError(.library, "OpenSSL could not make a certificate.", cause: LibraryError.take())
    }
    defer { unsafe X509_free(certificate) }
    let digest = key.publicKey.algorithm == .es256 ? unsafe EVP_sha256() : nil
    guard unsafe fill(certificate, issuer: issuer), unsafe X509_sign(certificate, key.pointer, digest) > 0,
      let der = unsafe derEncoding({ unsafe i2d_X509(certificate, $0) })
    else { throw CertificateError(.library, "OpenSSL could not make a certificate.", cause: LibraryError.take()) }
    return try Certificate(der: der.span)
  }

  private func fill(_ certificate: OpaquePointer, issuer: Certificate?) -> Bool {
    guard let subject = unsafe X509_NAME_new() else { return false }
    defer { unsafe X509_NAME_free(subject) }
    let text = Array(name.utf8)
    guard let number = unsafe BN_bin2bn(serial, Int32(serial.count), nil) else { return false }
    defer { unsafe BN_free(number) }
    let begin = unsafe ASN1_TIME_set(nil, Int(notBefore))
    defer { unsafe ASN1_STRING_free(begin) }
    let end = unsafe ASN1_TIME_set(nil, Int(notAfter))
    defer { unsafe ASN1_STRING_free(end) }
    let info = PublicKeyInfo.der(of: publicKey)
    // Unsafe: the library reads the bytes of the key during the call only.
    let holder = unsafe info.withUnsafeBufferPointer { buffer in
      var position = buffer.baseAddress
      return unsafe d2i_PUBKEY(nil, &position, buffer.count)
    }
    defer { unsafe EVP_PKEY_free(holder) }
    // Version 3 is written as 2 (RFC 5280 §4.1.2.1).
    return unsafe X509_set_version(certificate, 2) == 1
      && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
      && X509_NAME_add_entry_by_NID(subject, NID_commonName, V_ASN1_UTF8STRING, text, Int32(text.count), -1, 0) == 1
      && X509_set_subject_name(certificate, subject) == 1
      && X509_set_issuer_name(certificate, issuer.map { unsafe X509_get_subject_name($0.pointer) } ?? subject) == 1
      && begin != nil && end != nil
      && X509_set1_notBefore(certificate, begin) == 1 && X509_set1_notAfter(certificate, end) == 1
      && holder != nil && X509_set_pubkey(certificate, holder) == 1
      && extensions.allSatisfy { unsafe $0.add(to: certificate) }
  }
}
