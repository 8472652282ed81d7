internal import COpenSSL

/// The path from a peer's certificate to an issuer that is trusted, as OpenSSL verifies it.
enum CertificatePath {
  /// Verifies that one of the issuers signed the certificate directly: the issuer, or why not.
  ///
  /// Time is not looked at here: the library knows no leeway.
  static func verify(
    _ leaf: Certificate, others: [Certificate], issuers: [Certificate]
  ) -> Result<Certificate, CertificateRefusal> {
    defer { ERR_clear_error() }
    guard let store = unsafe X509_STORE_new() else { return .failure(.outOfMemory) }
    defer { unsafe X509_STORE_free(store) }
    for issuer in issuers {
      guard unsafe X509_STORE_add_cert(store, issuer.pointer) == 1 else { return .failure(.outOfMemory) }
    }
    // The stack holds no references: the certificates outlive it.
    let stack = unsafe OPENSSL_sk_new_null()
    defer { unsafe OPENSSL_sk_free(stack) }
    for other in others {
      guard unsafe OPENSSL_sk_push(stack, UnsafeRawPointer(other.pointer)) > 0 else { return .failure(.outOfMemory) }
    }
    guard let context = unsafe X509_STORE_CTX_new() else { return .failure(.outOfMemory) }
    defer { unsafe X509_STORE_CTX_free(context) }
    guard unsafe X509_STORE_CTX_init(context, store, leaf.pointer, stack) == 1,
      let parameters = unsafe X509_STORE_CTX_get0_param(context)
    else { return .failure(.outOfMemory) }
    // A listed issuer is trusted even if it is not self-signed; nothing beyond it is looked for.
    let flags = X509_V_FLAG_X509_STRICT | X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_NO_CHECK_TIME
    _ = unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(flags))
    // Enough for all that a peer may present: a path to somebody else's root is then told apart from one to our issuer
    // that is too long.
    unsafe X509_VERIFY_PARAM_set_depth(parameters, Int32(CertificatePolicy.mostCertificates))
    // At least 112 bits: RSA from 2048, no SHA-1. What kinds of key are used at all is the policy's to say.
    unsafe X509_VERIFY_PARAM_set_auth_level(parameters, 2)
    let verdict = withExtendedLifetime((leaf, others, issuers)) { unsafe X509_verify_cert(context) }
    let error = unsafe X509_STORE_CTX_get_error(context)
    guard verdict == 1, error == X509_V_OK else { return .failure(refusal(error, leaf)) }
    guard let path = unsafe X509_STORE_CTX_get0_chain(context), unsafe OPENSSL_sk_num(path) > 0,
      let last = unsafe OPENSSL_sk_value(path, OPENSSL_sk_num(path) - 1),
      let issuer = issuers.first(where: { unsafe X509_cmp($0.pointer, OpaquePointer(last)) == 0 })
    else { return .failure(refusal(X509_V_ERR_UNSPECIFIED, leaf)) }
    // No intermediates between the certificate and its issuer.
    guard unsafe OPENSSL_sk_num(path) <= 2 else { return .failure(refusal(X509_V_ERR_CERT_CHAIN_TOO_LONG, leaf)) }
    return .success(issuer)
  }

  /// Whether key usage is exactly digitalSignature, extended key usage exactly the role's, and the library agrees that
  /// it may be used so in TLS.
  static func allowsUse(_ certificate: Certificate, as role: CertificateRole) -> Bool {
    defer { ERR_clear_error() }
    let (use, purpose) =
      role.isServer ? (XKU_SSL_SERVER, X509_PURPOSE_SSL_SERVER) : (XKU_SSL_CLIENT, X509_PURPOSE_SSL_CLIENT)
    return unsafe X509_get_key_usage(certificate.pointer) == UInt32(KU_DIGITAL_SIGNATURE)
      && X509_get_extended_key_usage(certificate.pointer) == UInt32(use)
      && X509_check_purpose(certificate.pointer, purpose, 0) == 1
  }

  /// The library's verdict, in our words.
  private static func refusal(_ error: Int32, _ leaf: Certificate) -> CertificateRefusal {
    let whose = "The certificate of “\(leaf.shownName)”"
    switch error {
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
      return CertificateRefusal(.selfSigned, "\(whose) is signed by its own key, and not by the event's issuer.")
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
      X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_CERT_UNTRUSTED, X509_V_ERR_INVALID_CA:
      return CertificateRefusal(.otherIssuer, "\(whose) is not signed by the event's issuer.")
    case X509_V_ERR_CERT_CHAIN_TOO_LONG, X509_V_ERR_PATH_LENGTH_EXCEEDED:
      return CertificateRefusal(
        .chainTooLong, "\(whose) is not signed by the event's issuer directly: others stand between them.")
    case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK:
      return CertificateRefusal(
        .weakKey, "\(whose), or its issuer's, has a key or a signature that is too weak.")
    case X509_V_ERR_KEYUSAGE_NO_CERTSIGN:
      return CertificateRefusal(.notForThisUse, "\(whose) has an issuer that may not sign certificates.")
    default:
      // Unsafe: C returns a constant string of the library's own.
      let reason = unsafe X509_verify_cert_error_string(Int(error)).map { unsafe String(cString: $0) }
      return CertificateRefusal(
        .damaged, "\(whose) does not follow the rules of X.509 (OpenSSL says: \(reason ?? "error \(error)")).")
    }
  }
}

extension CertificateRefusal {
  fileprivate static let outOfMemory = CertificateRefusal(
    .damaged, "The certificate could not be judged: OpenSSL found no memory.")
}
