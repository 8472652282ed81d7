extension Cryptography {
  /// Sixteen random bytes: an identifier or a nonce (R12).
  ///
  /// - Precondition: ``Cryptography/randomBytes(_:)`` gives as many bytes as it is asked for.
  package func randomBytes16() -> Bytes16 {
    guard let bytes = Bytes16(randomBytes(16)) else {
      preconditionFailure("the cryptography's random source gave another number of bytes than asked for")
    }
    return bytes
  }
}
