public import CheckInCore

extension PublicKey {
  /// Reads `ed25519:` or `es256:` and the raw key in base64url; nil when it is not that.
  public init?(text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let bytes = Base64URL.decode(String(parts[1])),
      let algorithm = SignatureAlgorithm.allCases.first(where: { $0.textName == parts[0] })
    else { return nil }
    self.init(algorithm: algorithm, bytes: bytes)
  }

  /// The key as a short text: `ed25519:` or `es256:` and the raw key in base64url.
  public var text: String { "\(algorithm.textName):\(Base64URL.encode(bytes))" }
}

extension SignatureAlgorithm {
  fileprivate var textName: String {
    switch self {
    case .ed25519: "ed25519"
    case .es256: "es256"
    }
  }
}
