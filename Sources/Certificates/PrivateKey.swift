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

  /// Takes over one of the library's keys, after a look at whether it is one that is used here and whether its parts
  /// belong together. Where it throws, the key is freed.
  private init(owning pointer: OpaquePointer) throws(CertificateError) {
    do throws(CertificateError) {
      guard let publicKey = unsafe PublicKeyInfo.key(of: pointer) else {
        throw CertificateError(
          .unsupportedKey,
          "The private key is of a kind that is not used here. Make one of the kind Ed25519, or ECDSA on P-256.")
      }
      guard unsafe PrivateKey.isConsistent(pointer) else {
        throw CertificateError(.invalidKey, "The private key and the public key beside it do not belong together.")
      }
      self.publicKey = publicKey
      unsafe self.pointer = pointer
    } catch {
      unsafe EVP_PKEY_free(pointer)
      throw error
    }
  }

  /// Reads an unencrypted PKCS#8 key (RFC 5958) in DER: the whole of it, and no byte more. The caller's bytes stay the
  /// caller's to wipe.
  ///
  /// - Throws: ``CertificateError/Code/damaged``, ``CertificateError/Code/unsupportedKey`` or
  ///   ``CertificateError/Code/invalidKey``.
  public convenience init(pkcs8: Span<UInt8>) throws(CertificateError) {
    defer { ERR_clear_error() }
    let size = pkcs8.count
    // Unsafe: the library reads at most `size` bytes, during the call only.
    let info = unsafe pkcs8.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var position = buffer.baseAddress
      guard size > 0, let info = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &position, size) else { return nil }
      if unsafe position == buffer.baseAddress.map({ unsafe $0 + size }) { return unsafe info }
      unsafe PKCS8_PRIV_KEY_INFO_free(info)
      return nil
    }
    guard let info = unsafe info else {
      throw CertificateError(.damaged, "The bytes are not one whole private key in PKCS#8.", cause: LibraryError.take())
    }
    defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
    guard let pointer = unsafe EVP_PKCS82PKEY_ex(info, nil, nil) else {
      throw CertificateError(
        .invalidKey, "The private key cannot be used: it is damaged, or of a kind that OpenSSL does not know.",
        cause: LibraryError.take())
    }
    try unsafe self.init(owning: pointer)
  }

  /// Makes a new key from the system's random source.
  ///
  /// - Throws: ``CertificateError/Code/library`` when the library cannot.
  public static func generate(_ algorithm: SignatureAlgorithm) throws(CertificateError) -> PrivateKey {
    let context =
      switch algorithm {
      case .ed25519: unsafe EVP_PKEY_CTX_new_from_name(nil, "ED25519", nil)
      case .es256: unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
      }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var pointer: OpaquePointer?
    guard unsafe EVP_PKEY_keygen_init(context) == 1,
      unsafe algorithm == .ed25519 || EVP_PKEY_CTX_set_group_name(context, "prime256v1") == 1,
      unsafe EVP_PKEY_generate(context, &pointer) == 1, let pointer = unsafe pointer
    else { throw CertificateError(.library, "OpenSSL could not make a key.", cause: LibraryError.take()) }
    return try unsafe PrivateKey(owning: pointer)
  }

  deinit {
    unsafe EVP_PKEY_free(pointer)
  }

  /// The key in unencrypted PKCS#8 (RFC 5958), DER.
  ///
  /// - Throws: ``CertificateError/Code/library`` when the library cannot.
  public func pkcs8() throws(CertificateError) -> SecretBytes {
    let info = unsafe EVP_PKEY2PKCS8(pointer)
    defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
    guard unsafe info != nil, var bytes = unsafe derEncoding({ unsafe i2d_PKCS8_PRIV_KEY_INFO(info, $0) }) else {
      throw CertificateError(.library, "OpenSSL could not write the private key.", cause: LibraryError.take())
    }
    defer { SecretBytes.wipe(&bytes) }
    return SecretBytes(bytes)
  }

  /// Whether the library finds that the parts of the key, private and public, belong together.
  private static func isConsistent(_ pointer: OpaquePointer) -> Bool {
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return false }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    defer { ERR_clear_error() }
    return unsafe EVP_PKEY_check(context) == 1
  }
}
