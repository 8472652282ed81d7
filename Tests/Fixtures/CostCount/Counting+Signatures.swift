internal import CheckIn
internal import CheckInCore
internal import OpenSSLCryptography

extension Counting {
  /// A signature of 300 bytes; what OpenSSL itself needs is left out.
  static func sign(_ algorithm: SignatureAlgorithm) -> Counting {
    Counting("sign-\(algorithm)", count: 10) { isSpoiled, body in
      let key = try OpenSSLSigningKey.generate(algorithm)
      let message = [UInt8](repeating: 7, count: 300)
      return try await body { count in
        for _ in 0..<count {
          _ = Spoil.one(isSpoiled)
          _ = try key.sign(message.span)
        }
      }
    }
  }

  /// Its verification.
  static func verify(_ algorithm: SignatureAlgorithm) -> Counting {
    Counting("verify-\(algorithm)", count: 10) { isSpoiled, body in
      let key = try OpenSSLSigningKey.generate(algorithm)
      let cryptography = OpenSSLCryptography()
      let message = [UInt8](repeating: 7, count: 300)
      let signature = try key.sign(message.span)
      return try await body { count in
        for _ in 0..<count {
          _ = Spoil.one(isSpoiled)
          guard cryptography.verify(signature.span, of: message.span, by: key.publicKey) else {
            throw SigningError("The signature does not verify.")
          }
        }
      }
    }
  }
}
