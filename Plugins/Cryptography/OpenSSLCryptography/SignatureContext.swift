internal import COpenSSL
internal import CheckInCore

/// What the library needs beside a key to sign, or to verify: for one signature at a time, and again for the next.
///
/// SAFETY: the pointers are set once. Whoever uses it has it alone: it is made for one call, or was taken out of
/// ``SpareContext``.
@safe final class SignatureContext: @unchecked Sendable {
  enum Purpose {
    case signing
    case verifying
  }

  /// For Ed25519, which hashes by itself: a digest's context, to be begun anew each time.
  private let digest: OpaquePointer?
  /// For ES256: a key's context, which stays ready.
  private let operation: OpaquePointer?

  /// Nil when the library cannot set it up.
  init?(_ key: EVPKey, _ algorithm: SignatureAlgorithm, _ purpose: Purpose) {
    switch algorithm {
    case .ed25519:
      unsafe operation = nil
      unsafe digest = EVP_MD_CTX_new()
      let isReady =
        switch purpose {
        case .signing: unsafe EVP_DigestSignInit(digest, nil, nil, nil, key.pointer)
        case .verifying: unsafe EVP_DigestVerifyInit(digest, nil, nil, nil, key.pointer)
        }
      guard isReady == 1 else { return nil }
    case .es256:
      unsafe digest = nil
      unsafe operation = EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil)
      let isReady =
        switch purpose {
        case .signing: unsafe EVP_PKEY_sign_init(operation)
        case .verifying: unsafe EVP_PKEY_verify_init(operation)
        }
      guard isReady == 1 else { return nil }
    }
  }

  deinit {
    unsafe EVP_MD_CTX_free(digest)
    unsafe EVP_PKEY_CTX_free(operation)
  }

  /// Makes it ready for one more signature; false when the library cannot.
  func begin(_ purpose: Purpose) -> Bool {
    guard let digest = unsafe digest else { return true }
    return switch purpose {
    case .signing: unsafe EVP_DigestSignInit(digest, nil, nil, nil, nil) == 1
    case .verifying: unsafe EVP_DigestVerifyInit(digest, nil, nil, nil, nil) == 1
    }
  }

  /// The signature, 64 bytes; nil when the library cannot sign.
  func sign(_ message: Span<UInt8>) -> [UInt8]? {
    if let digest = unsafe digest {
      var signature = [UInt8](repeating: 0, count: 64)
      var count = signature.count
      // Unsafe: the library reads the message, with its count, and writes at most 64 bytes.
      let succeeded = unsafe message.withUnsafeBufferPointer {
        unsafe EVP_DigestSign(digest, &signature, &count, $0.baseAddress, $0.count)
      }
      return succeeded == 1 && count == 64 ? signature : nil
    }
    let hash = SHA256.shared.digest(of: message).bytes
    // 72 bytes: two integers of 33 bytes and six bytes of tags and lengths.
    var der = [UInt8](repeating: 0, count: 72)
    var count = der.count
    // Unsafe: the library reads the hash, with its count, and writes at most 72 bytes.
    guard unsafe EVP_PKEY_sign(operation, &der, &count, hash, hash.count) == 1 else { return nil }
    return ECDSASignature.raw(der: der.span.extracting(first: count))
  }

  /// Whether it is the key's signature of the message.
  func verify(_ signature: Span<UInt8>, of message: Span<UInt8>) -> Bool {
    if let digest = unsafe digest {
      // Unsafe: the library reads both buffers, with their counts, during the call only.
      return unsafe signature.withUnsafeBufferPointer { signature in
        unsafe message.withUnsafeBufferPointer { message in
          unsafe EVP_DigestVerify(digest, signature.baseAddress, signature.count, message.baseAddress, message.count)
        }
      } == 1
    }
    guard let der = ECDSASignature.der(raw: signature) else { return false }
    let hash = SHA256.shared.digest(of: message).bytes
    // Unsafe: the library reads both buffers, with their counts, during the call only.
    return unsafe EVP_PKEY_verify(operation, der, der.count, hash, hash.count) == 1
  }
}
