package import CheckInCore

/// Any cryptography, as the one type that the core's generic sessions are made for.
package struct AnyCryptography: Cryptography {
  private let base: any Cryptography

  package init(_ base: any Cryptography) {
    self.base = base
  }

  package func sha256(_ bytes: Span<UInt8>) -> Digest {
    base.sha256(bytes)
  }

  package func verify(_ signature: Span<UInt8>, of message: Span<UInt8>, by key: PublicKey) -> Bool {
    base.verify(signature, of: message, by: key)
  }

  package func randomBytes(_ count: Int) -> [UInt8] {
    base.randomBytes(count)
  }
}

/// Any signing key, likewise.
package struct AnySigningKey: SigningKey {
  private let base: any SigningKey

  package init(_ base: any SigningKey) {
    self.base = base
  }

  package var publicKey: PublicKey { base.publicKey }

  package func sign(_ message: Span<UInt8>) throws(SigningError) -> [UInt8] {
    try base.sign(message)
  }
}
