internal import COpenSSL
internal import CheckInCore

/// What is read out of one of the library's certificates.
///
/// Unsafe throughout: `certificate` is an `X509` that the caller keeps alive, and what the library hands out without a
/// copy lives as long as it.
enum CertificateParts {
  /// A time as seconds since 1970-01-01T00:00:00Z; nil when it is none.
  static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    guard let time = unsafe time, let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
    defer { unsafe ASN1_STRING_free(epoch) }
    var days: Int32 = 0
    var seconds: Int32 = 0
    guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
    return Int64(days) * 86_400 + Int64(seconds)
  }

  /// The serial number, most significant byte first, without leading zeros; nil when it is zero or negative.
  static func serial(of certificate: OpaquePointer) -> [UInt8]? {
    guard let integer = unsafe X509_get0_serialNumber(certificate),
      unsafe ASN1_STRING_type(integer) == V_ASN1_INTEGER
    else { return nil }
    let bytes = unsafe content(integer)
    return bytes.contains { $0 != 0 } ? Array(bytes.drop { $0 == 0 }) : nil
  }

  /// The subject's common name, with replacement characters for what cannot be shown, and whether every part of the
  /// subject is text without NULs and other control characters.
  static func name(of certificate: OpaquePointer) -> (common: String, isWellFormed: Bool) {
    guard let subject = unsafe X509_get_subject_name(certificate) else { return ("", false) }
    var common: String?
    var isWellFormed = true
    for index in 0..<(unsafe max(0, X509_NAME_entry_count(subject))) {
      let entry = unsafe X509_NAME_get_entry(subject, index)
      let text = unsafe utf8(X509_NAME_ENTRY_get_data(entry)).flatMap { String(validating: $0, as: UTF8.self) }
      isWellFormed = isWellFormed && text?.isFreeOfControls == true
      if common == nil, unsafe OBJ_obj2nid(X509_NAME_ENTRY_get_object(entry)) == NID_commonName {
        common = text?.withoutControls ?? "\u{fffd}"
      }
    }
    return (common ?? "", isWellFormed)
  }

  /// The identity in the subject's alternative names, and whether these names are well-formed: none that holds a
  /// control character, and at most one that claims to be an identity, which then is one.
  static func identity(of certificate: OpaquePointer) -> (identity: CertificateIdentity?, isWellFormed: Bool) {
    var critical: Int32 = 0
    guard let list = unsafe X509_get_ext_d2i(certificate, NID_subject_alt_name, &critical, nil) else {
      // −1: there is none. Else it is there twice, or damaged.
      return (nil, critical == -1)
    }
    let names = OpaquePointer(list)
    defer { unsafe GENERAL_NAMES_free(names) }
    var identity: CertificateIdentity?
    for index in 0..<(unsafe max(0, OPENSSL_sk_num(names))) {
      let name = unsafe OPENSSL_sk_value(names, index)?.assumingMemoryBound(to: GENERAL_NAME.self)
      var kind: Int32 = 0
      guard let value = unsafe GENERAL_NAME_get0_value(name, &kind),
        [GEN_URI, GEN_DNS, GEN_EMAIL].contains(kind)
      else { continue }
      let bytes = unsafe content(value.assumingMemoryBound(to: ASN1_STRING.self))
      guard bytes.allSatisfy({ (0x20...0x7e).contains($0) }) else { return (nil, false) }
      guard kind == GEN_URI, CertificateIdentity.isClaimed(by: bytes) else { continue }
      guard identity == nil, let read = CertificateIdentity(uri: bytes) else { return (nil, false) }
      identity = read
    }
    return (identity, true)
  }

  /// Makes the library read the extensions, which it keeps: whether it could, and none is there twice.
  static func extensionsAreWellFormed(_ certificate: OpaquePointer) -> Bool {
    guard unsafe X509_check_purpose(certificate, -1, 0) == 1 else { return false }
    return (0..<(unsafe max(0, X509_get_ext_count(certificate)))).allSatisfy { index in
      let kind = unsafe X509_EXTENSION_get_object(X509_get_ext(certificate, index))
      return unsafe X509_get_ext_by_OBJ(certificate, kind, index) == -1
    }
  }

  /// The public key; nil when it is of a kind that is not used here.
  static func publicKey(of certificate: OpaquePointer) -> PublicKey? {
    guard let info = unsafe X509_get_X509_PUBKEY(certificate),
      let der = unsafe derEncoding({ unsafe i2d_X509_PUBKEY(info, $0) }), let key = PublicKeyInfo.key(der: der),
      unsafe X509_get0_pubkey(certificate) != nil
    else { return nil }
    return key
  }

  /// Whether it may issue others: it has the CA flag, or counts as an authority for the library in another way.
  static func isAuthority(_ certificate: OpaquePointer) -> Bool {
    unsafe X509_get_extension_flags(certificate) & UInt32(EXFLAG_CA) != 0 || X509_check_ca(certificate) != 0
  }

  /// The bytes of one of the library's strings.
  static func content(_ string: UnsafePointer<ASN1_STRING>) -> [UInt8] {
    let count = unsafe Int(ASN1_STRING_length(string))
    guard count > 0, let start = unsafe ASN1_STRING_get0_data(string) else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: start, count: count))
  }

  /// One of the library's strings, whatever its kind, in UTF-8; nil when it cannot be.
  private static func utf8(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8]? {
    guard let string = unsafe string else { return nil }
    var buffer: UnsafeMutablePointer<UInt8>?
    let count = unsafe ASN1_STRING_to_UTF8(&buffer, string)
    defer { unsafe CRYPTO_free(buffer, nil, 0) }
    guard count >= 0, let buffer = unsafe buffer else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: buffer, count: Int(count)))
  }
}
