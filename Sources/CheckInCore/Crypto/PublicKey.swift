/// A public key that can verify signatures.
public struct PublicKey: Hashable, Sendable {
  /// What the key is for. A key never verifies with any other algorithm.
  public let algorithm: SignatureAlgorithm
  /// The raw key, `algorithm.publicKeySize` bytes.
  public let bytes: [UInt8]

  /// Takes the raw key; nil when the size is not the algorithm's. Whether the bytes are a point on the curve is for
  /// ``Cryptography/verify(_:of:by:)`` to find, which answers false when they are not.
  public init?(algorithm: SignatureAlgorithm, bytes: [UInt8]) {
    guard bytes.count == algorithm.publicKeySize else { return nil }
    self.algorithm = algorithm
    self.bytes = bytes
  }
}
