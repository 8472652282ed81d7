public import CheckInCore

/// How the token is kept under the PIN: PIN in, exclusive or, token out. Nothing in what is kept says whether a PIN was right:
/// every PIN gives a token, and only the server knows which is the account's.
public enum TokenSealing {
  /// The versions of what is kept.
  public enum Version: UInt8, Sendable, Hashable, CaseIterable {
    /// The rule of the original system, word for word: the digits of the PIN, over and over, exclusive-or the token. Whoever
    /// has the file and can try tokens has the token after at most 10,000 of them.
    case literal = 0
    /// The token exclusive-or a key that scrypt (RFC 7914) makes of the PIN, a salt, and a secret of the device that is kept
    /// elsewhere.
    case scrypt = 1
  }

  /// Version 0, both ways: the token of what is kept, or what is kept of the token.
  public static func literal(_ bytes: SecretBytes, _ pin: FourDigits) -> SecretBytes {
    let digits = pin.digits
    return combined(bytes, with: SecretBytes((0..<bytes.count).map { digits[$0 % digits.count] }))
  }

  /// Exclusive-or, both ways.
  ///
  /// - Precondition: the key has at least as many bytes.
  public static func combined(_ bytes: SecretBytes, with key: SecretBytes) -> SecretBytes {
    precondition(key.count >= bytes.count, "a key that is too short")
    var result = bytes.bytes
    var other = key.bytes
    defer {
      SecretBytes.wipe(&result)
      SecretBytes.wipe(&other)
    }
    for index in result.indices {
      result[index] ^= other[index]
    }
    return SecretBytes(result)
  }
}
