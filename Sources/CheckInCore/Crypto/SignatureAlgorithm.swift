/// The signature algorithms that version 1 knows, by their COSE identifiers (RFC 9053 §2).
public enum SignatureAlgorithm: Int64, Sendable, Hashable, CaseIterable {
  /// EdDSA with Ed25519 (RFC 8032): a 32-byte public key, a 64-byte signature.
  case ed25519 = -8
  /// ECDSA with P-256 and SHA-256 (ES256): a public key of 64 bytes, x then y; a signature of 64 bytes, r then s.
  case es256 = -7

  /// How many bytes a public key of this algorithm has here.
  public var publicKeySize: Int {
    switch self {
    case .ed25519: 32
    case .es256: 64
    }
  }

  /// How many bytes a signature of this algorithm has.
  public var signatureSize: Int { 64 }
}
