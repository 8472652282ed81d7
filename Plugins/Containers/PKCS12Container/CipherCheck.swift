internal import COpenSSL

/// What stands in the way of an encryption, as its algorithm identifier says before anything is decrypted.
enum CipherCheck {
  /// Looks at one encryption and charges its iterations.
  ///
  /// - Returns: whether the cipher is outdated.
  static func look(
    _ algorithm: UnsafePointer<X509_ALGOR>?, _ budget: inout WorkBudget
  ) throws(ContainerError) -> Bool {
    var kind: OpaquePointer?
    // Unsafe, here and below: the library hands out parts of what the caller keeps alive.
    if let algorithm = unsafe algorithm { unsafe X509_ALGOR_get0(&kind, nil, nil, algorithm) }
    let parameter = unsafe algorithm?.pointee.parameter
    switch unsafe OBJ_obj2nid(kind) {
    case NID_pbes2:
      return try unsafe lookAtPBES2(parameter, &budget)
    case NID_pbe_WithSHA1And3_Key_TripleDES_CBC, NID_pbe_WithSHA1And2_Key_TripleDES_CBC,
      NID_pbe_WithSHA1And128BitRC2_CBC,
      NID_pbe_WithSHA1And40BitRC2_CBC, NID_pbe_WithSHA1And128BitRC4, NID_pbe_WithSHA1And40BitRC4,
      NID_pbeWithMD5AndDES_CBC, NID_pbeWithMD5AndRC2_CBC, NID_pbeWithSHA1AndDES_CBC, NID_pbeWithSHA1AndRC2_CBC,
      NID_pbeWithMD2AndDES_CBC, NID_pbeWithMD2AndRC2_CBC:
      guard
        let values = unsafe ASN1_TYPE_unpack_sequence(PBEPARAM_it(), parameter)?.assumingMemoryBound(to: PBEPARAM.self)
      else { throw .damagedParameters }
      defer { unsafe PBEPARAM_free(values) }
      // Key and initialisation vector are derived one after the other.
      try unsafe budget.charge(values.pointee.iter, times: 2)
      return true
    default: throw unsafe unsupported(kind)
    }
  }

  /// PBES2 (RFC 8018 §6.2): a cipher, and a key derivation that must be PBKDF2.
  private static func lookAtPBES2(
    _ parameter: UnsafeMutablePointer<ASN1_TYPE>?, _ budget: inout WorkBudget
  ) throws(ContainerError) -> Bool {
    guard
      let values = unsafe ASN1_TYPE_unpack_sequence(PBE2PARAM_it(), parameter)?.assumingMemoryBound(to: PBE2PARAM.self)
    else { throw .damagedParameters }
    defer { unsafe PBE2PARAM_free(values) }
    guard let derivation = unsafe values.pointee.keyfunc, let encryption = unsafe values.pointee.encryption else {
      throw .damagedParameters
    }
    guard unsafe OBJ_obj2nid(derivation.pointee.algorithm) == NID_id_pbkdf2 else {
      throw unsafe unsupported(derivation.pointee.algorithm)
    }
    guard
      let numbers = unsafe ASN1_TYPE_unpack_sequence(PBKDF2PARAM_it(), derivation.pointee.parameter)?
        .assumingMemoryBound(to: PBKDF2PARAM.self)
    else { throw .damagedParameters }
    defer { unsafe PBKDF2PARAM_free(numbers) }
    if let function = unsafe numbers.pointee.prf {
      switch unsafe OBJ_obj2nid(function.pointee.algorithm) {
      case NID_hmacWithSHA1, NID_hmacWithSHA224, NID_hmacWithSHA256, NID_hmacWithSHA384, NID_hmacWithSHA512: break
      default: throw unsafe unsupported(function.pointee.algorithm)
      }
    }
    // A key of 32 bytes takes two runs of a function that gives 20.
    try unsafe budget.charge(numbers.pointee.iter, times: 2)
    switch unsafe OBJ_obj2nid(encryption.pointee.algorithm) {
    case NID_aes_128_cbc, NID_aes_192_cbc, NID_aes_256_cbc: return false
    case NID_des_ede3_cbc, NID_des_cbc, NID_rc2_cbc: return true
    default: throw unsafe unsupported(encryption.pointee.algorithm)
    }
  }

  /// Looks at the MAC: one of the functions that are in use, and how much work its key is.
  ///
  /// - Parameter attempts: how many passwords may have to be tried.
  static func look(
    mac algorithm: UnsafePointer<X509_ALGOR>?, iterations: UnsafePointer<ASN1_INTEGER>?, attempts: Int64,
    _ budget: inout WorkBudget
  ) throws(ContainerError) {
    var kind: OpaquePointer?
    if let algorithm = unsafe algorithm { unsafe X509_ALGOR_get0(&kind, nil, nil, algorithm) }
    switch unsafe OBJ_obj2nid(kind) {
    case NID_sha1, NID_sha224, NID_sha256, NID_sha384, NID_sha512: break
    default: throw unsafe unsupported(kind)
    }
    try unsafe budget.charge(iterations, times: attempts)
  }

  private static func unsupported(_ kind: OpaquePointer?) -> ContainerError {
    var text = [CChar](repeating: 0, count: 80)
    // Unsafe: the library writes at most 80 bytes, with a zero at the end.
    if unsafe kind != nil { _ = unsafe OBJ_obj2txt(&text, 80, kind, 0) }
    ERR_clear_error()
    let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return ContainerError(
      .unsupportedCipher,
      """
      The container is protected in a way that is not known here (“\(name)”). Write it anew with AES-256-CBC and \
      PBKDF2, as openssl pkcs12 -export does.
      """)
  }
}

extension ContainerError {
  static let damagedParameters = ContainerError(
    .damaged, "The container is damaged: how it is encrypted cannot be read.")

  /// What to do about an outdated cipher.
  static let conversion = """
    (umask 077; openssl pkcs12 -legacy -in OLD.p12 -nodes -out TEMPORARY.pem \
    && openssl pkcs12 -export -in TEMPORARY.pem -out NEW.p12; rm -f TEMPORARY.pem)
    """
}
