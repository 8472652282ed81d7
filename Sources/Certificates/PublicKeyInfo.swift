internal import COpenSSL
internal import CheckInCore

/// A public key as X.509 has it: SubjectPublicKeyInfo in DER (RFC 5280 §4.1.2.7). Both kinds that are used here have one
/// encoding each, a fixed beginning and the raw key (RFC 8410 §4; RFC 5480 §2, the named curve, the point uncompressed).
enum PublicKeyInfo {
  private static let ed25519: [UInt8] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]
  private static let p256: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce,
    0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
  ]

  /// The encoding of a key.
  static func der(of key: PublicKey) -> [UInt8] {
    switch key.algorithm {
    case .ed25519: ed25519 + key.bytes
    case .es256: p256 + key.bytes
    }
  }

  /// The key in an encoding; nil when it is of a kind that is not used here.
  static func key(der: [UInt8]) -> PublicKey? {
    for (beginning, algorithm) in [(ed25519, SignatureAlgorithm.ed25519), (p256, .es256)]
    where der.starts(with: beginning) {
      return PublicKey(algorithm: algorithm, bytes: Array(der.dropFirst(beginning.count)))
    }
    return nil
  }

  /// The public half of one of the library's keys; nil when it is of a kind that is not used here.
  static func key(of pointer: OpaquePointer) -> PublicKey? {
    defer { ERR_clear_error() }
    return unsafe derEncoding { unsafe i2d_PUBKEY(pointer, $0) }.flatMap(key(der:))
  }

  /// The identifier of a key: the first 20 bytes of the SHA-256 of its bits (RFC 7093 §2, method 1).
  static func identifier(of key: PublicKey) throws(CertificateError) -> [UInt8] {
    let bits = key.algorithm == .es256 ? [4] + key.bytes : key.bytes
    return Array(try sha256(bits).bytes.prefix(20))
  }
}

/// SHA-256 of the bytes.
func sha256(_ bytes: [UInt8]) throws(CertificateError) -> Digest {
  var result = [UInt8](repeating: 0, count: 32)
  // Unsafe: the library reads `count` bytes and writes 32.
  guard unsafe EVP_Digest(bytes, bytes.count, &result, nil, EVP_sha256(), nil) == 1, let digest = Digest(result) else {
    throw CertificateError(.library, "OpenSSL could not compute SHA-256.", cause: LibraryError.take())
  }
  return digest
}

/// What one of the library's encoders writes: asked for the size first, then for the bytes; nil when it fails.
package func derEncoding(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
  let size = encode(nil)
  guard size > 0 else { return nil }
  var bytes = [UInt8](repeating: 0, count: Int(size))
  // Unsafe: the library writes as many bytes as it has just said.
  let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
    var position = buffer.baseAddress
    return unsafe encode(&position)
  }
  return written == size ? bytes : nil
}
