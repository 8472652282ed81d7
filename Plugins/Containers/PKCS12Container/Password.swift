internal import COpenSSL
internal import CheckInCore

/// A password as the library takes it. No password at all has two encodings in PKCS#12: no bytes, and the two zero
/// bytes that end an empty text in UTF-16 (RFC 7292 appendix B.1). Programs write both.
struct Password {
  private let secret: SecretBytes
  private let isNull: Bool

  /// The passwords to try for what the person gave.
  static func candidates(_ given: SecretBytes?) -> [Password] {
    if let given, given.count > 0 { return [Password(secret: given, isNull: false)] }
    let empty = SecretBytes([])
    return [Password(secret: empty, isNull: false), Password(secret: empty, isNull: true)]
  }

  private init(secret: SecretBytes, isNull: Bool) {
    self.secret = secret
    self.isNull = isNull
  }

  /// Hands the password's bytes and their number to a call of the library's, which reads them during the call only.
  func use<Value>(_ body: (UnsafePointer<CChar>?, Int32) -> Value) -> Value {
    guard !isNull else { return body(nil, 0) }
    // The library tells an empty password from none by the pointer, and an empty array may not have one.
    var bytes = secret.bytes + [0]
    defer { SecretBytes.wipe(&bytes) }
    let count = Int32(bytes.count - 1)
    // Unsafe: one byte is as good as the other sort of byte.
    return unsafe bytes.withUnsafeBytes { unsafe body($0.assumingMemoryBound(to: CChar.self).baseAddress, count) }
  }
}
