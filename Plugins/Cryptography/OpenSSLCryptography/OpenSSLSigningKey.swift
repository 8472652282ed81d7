internal import COpenSSL
public import CheckInCore

/// A private key held by OpenSSL 3, which wipes it when the last copy of this value is gone (R20).
///
/// Any number of tasks may sign with one key at once: each signature has a context of its own.
public struct OpenSSLSigningKey: SigningKey {
  /// The public half.
  public let publicKey: PublicKey
  let key: EVPKey

  /// Takes over a key of the library's, after a look at whether it is one that is used here and whether its parts
  /// belong together.
  init(_ key: EVPKey) throws(OpenSSLError) {
    publicKey = try key.publicKey()
    guard key.isConsistentPair else {
      throw OpenSSLError(.invalidKey, "The private key and the public key beside it do not belong together.")
    }
    self.key = key
  }

  /// Makes a new key from the system's random source.
  ///
  /// - Throws: ``OpenSSLError/Code/library`` when the library cannot.
  public static func generate(_ algorithm: SignatureAlgorithm) throws(OpenSSLError) -> OpenSSLSigningKey {
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
    else { throw OpenSSLError(.library, "OpenSSL could not make a key.", cause: LibraryError.take()) }
    return try unsafe OpenSSLSigningKey(EVPKey(owning: pointer))
  }

  /// The signature of `message`, 64 bytes. With ES256 each call gives another one.
  public func sign(_ message: Span<UInt8>) throws(SigningError) -> [UInt8] {
    let signature =
      switch publicKey.algorithm {
      case .ed25519: signEd25519(message)
      case .es256: signES256(message)
      }
    guard let signature else {
      throw SigningError("OpenSSL could not sign: \(LibraryError.take()?.description ?? "no reason given").")
    }
    return signature
  }

  private func signEd25519(_ message: Span<UInt8>) -> [UInt8]? {
    guard let context = unsafe EVP_MD_CTX_new() else { return nil }
    defer { unsafe EVP_MD_CTX_free(context) }
    guard unsafe EVP_DigestSignInit(context, nil, nil, nil, key.pointer) == 1 else { return nil }
    var signature = [UInt8](repeating: 0, count: 64)
    var count = signature.count
    // Unsafe: the library reads the message, with its count, and writes at most 64 bytes.
    let succeeded = unsafe message.withUnsafeBufferPointer {
      unsafe EVP_DigestSign(context, &signature, &count, $0.baseAddress, $0.count)
    }
    return succeeded == 1 && count == 64 ? signature : nil
  }

  private func signES256(_ message: Span<UInt8>) -> [UInt8]? {
    let digest = SHA256.shared.digest(of: message).bytes
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else { return nil }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    // 72 bytes: two integers of 33 bytes and six bytes of tags and lengths.
    var der = [UInt8](repeating: 0, count: 72)
    var count = der.count
    // Unsafe: the library reads the digest, with its count, and writes at most 72 bytes.
    guard unsafe EVP_PKEY_sign_init(context) == 1,
      unsafe EVP_PKEY_sign(context, &der, &count, digest, digest.count) == 1
    else { return nil }
    return ECDSASignature.raw(der: der.span.extracting(first: count))
  }
}
