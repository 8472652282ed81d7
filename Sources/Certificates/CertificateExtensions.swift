internal import COpenSSL
internal import CheckInCore

/// One extension of a certificate (RFC 5280 §4.2), as it is written: which, whether critical, and its value in DER.
struct CertificateExtension {
  let number: Int32
  let isCritical: Bool
  let value: [UInt8]

  /// An authority that may issue others directly, and no further authorities.
  static let authority = CertificateExtension(
    number: NID_basic_constraints, isCritical: true, value: [0x30, 0x06, 0x01, 0x01, 0xff, 0x02, 0x01, 0x00])
  /// No authority.
  static let noAuthority = CertificateExtension(number: NID_basic_constraints, isCritical: true, value: [0x30, 0x00])
  /// Key usage keyCertSign and cRLSign.
  static let signsCertificates = CertificateExtension(
    number: NID_key_usage, isCritical: true, value: [0x03, 0x02, 0x01, 0x06])
  /// Key usage digitalSignature.
  static let signs = CertificateExtension(number: NID_key_usage, isCritical: true, value: [0x03, 0x02, 0x07, 0x80])

  /// Extended key usage: id-kp-serverAuth for a kiosk, id-kp-clientAuth for an attendee.
  static func use(_ role: CertificateRole) -> CertificateExtension {
    let purpose: UInt8 = role.isServer ? 1 : 2
    return CertificateExtension(
      number: NID_ext_key_usage, isCritical: false,
      value: [0x30, 0x0a, 0x06, 0x08, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, purpose])
  }

  /// The identity, as the one URI of subjectAltName.
  static func identity(_ identity: CertificateIdentity) -> CertificateExtension {
    CertificateExtension(
      number: NID_subject_alt_name, isCritical: false, value: tagged(0x30, tagged(0x86, identity.uri)))
  }

  /// The identifier of the certificate's own key.
  static func subjectKey(_ identifier: [UInt8]) -> CertificateExtension {
    CertificateExtension(number: NID_subject_key_identifier, isCritical: false, value: tagged(0x04, identifier))
  }

  /// The identifier of the issuer's key.
  static func authorityKey(_ identifier: [UInt8]) -> CertificateExtension {
    CertificateExtension(
      number: NID_authority_key_identifier, isCritical: false, value: tagged(0x30, tagged(0x80, identifier)))
  }

  /// A value in DER with its tag and length, which is below 65,536.
  private static func tagged(_ tag: UInt8, _ value: [UInt8]) -> [UInt8] {
    switch value.count {
    case ..<0x80: [tag, UInt8(value.count)] + value
    case ..<0x100: [tag, 0x81, UInt8(value.count)] + value
    default: [tag, 0x82, UInt8(value.count >> 8), UInt8(value.count & 0xff)] + value
    }
  }

  /// Adds the extension to one of the library's certificates; false when the library could not.
  func add(to certificate: OpaquePointer) -> Bool {
    guard let bytes = unsafe ASN1_OCTET_STRING_new() else { return false }
    defer { unsafe ASN1_OCTET_STRING_free(bytes) }
    guard unsafe ASN1_OCTET_STRING_set(bytes, value, Int32(value.count)) == 1,
      let extensionPointer = unsafe X509_EXTENSION_create_by_NID(nil, number, isCritical ? 1 : 0, bytes)
    else { return false }
    defer { unsafe X509_EXTENSION_free(extensionPointer) }
    return unsafe X509_add_ext(certificate, extensionPointer, -1) == 1
  }
}
