internal import COpenSSL
public import CheckInCore

extension PublicKey {
  /// Reads a public key in its text form: `-----BEGIN PUBLIC KEY-----`, a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
  ///
  /// - Throws: an ``OpenSSLError`` that says what the bytes are instead.
  public init(pem bytes: [UInt8]) throws(OpenSSLError) {
    self = try PEM.read(bytes, what: "a public key file") { label, content throws(OpenSSLError) in
      guard label == "PUBLIC KEY" else {
        let hint =
          label.hasSuffix("PRIVATE KEY")
          ? " That file is secret: keep it to yourself, and use the public key made from it." : ""
        throw OpenSSLError(.wrongContent, "This is not a public key: the file holds a “\(label)”.\(hint)")
      }
      return try PublicKey.decode(content)
    }
  }

  /// The key as a SubjectPublicKeyInfo in its text form.
  ///
  /// - Throws: ``OpenSSLError/Code/invalidKey`` when the bytes of this key are no point on its curve.
  public func pem() throws(OpenSSLError) -> String {
    guard let key = EVPKey(self) else {
      throw OpenSSLError(.invalidKey, "The public key is no point on its curve.")
    }
    let text = try unsafe PEM.write { unsafe PEM_write_bio_PUBKEY($0, key.pointer) == 1 }
    return String(decoding: text.bytes, as: UTF8.self)
  }

  private static func decode(_ content: Span<UInt8>) throws(OpenSSLError) -> PublicKey {
    // Unsafe: the library reads the buffer during the call only, and moves `position` behind what it has read.
    let (pointer, isWhole) = unsafe content.withUnsafeBufferPointer { buffer in
      var position = buffer.baseAddress
      let pointer = unsafe d2i_PUBKEY(nil, &position, buffer.count)
      return unsafe (pointer, position == buffer.baseAddress?.advanced(by: buffer.count))
    }
    guard let pointer = unsafe pointer else {
      throw OpenSSLError(
        .invalidKey, "The public key is not of a known kind, or its numbers make no sense.", cause: LibraryError.take())
    }
    let key = unsafe EVPKey(owning: pointer)
    guard isWhole else { throw OpenSSLError(.damaged, "The public key is damaged: something follows it.") }
    return try key.publicKey()
  }
}
