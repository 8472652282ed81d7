internal import CheckInCore
internal import OpenSSLCryptography

/// SHA-256 for tests.
enum OpenSSLDigest {
  static func of(_ bytes: [UInt8]) -> Digest { OpenSSLCryptography().sha256(bytes.span) }
}
