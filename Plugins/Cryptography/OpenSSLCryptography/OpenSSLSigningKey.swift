internal import COpenSSL
public import CheckInCore

/// A private key held by OpenSSL 3, which wipes it when the last copy of this value is gone (R20).
///
/// Any number of tasks may sign with one key at once.
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
    guard let signature = key.signing.use(key, publicKey.algorithm, { $0.sign(message) }) ?? nil else {
      throw SigningError("OpenSSL could not sign: \(LibraryError.take()?.description ?? "no reason given").")
    }
    return signature
  }
}
