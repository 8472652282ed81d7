internal import COpenSSL
public import CheckInCore

extension OpenSSLSigningKey {
  /// Reads an unencrypted PKCS#8 private key (RFC 5208, RFC 5958) in its text form: `-----BEGIN PRIVATE KEY-----`.
  ///
  /// The caller's bytes stay the caller's to wipe. Text before and after the key is skipped.
  ///
  /// - Throws: an error that says what the bytes are instead.
  public init(pem bytes: [UInt8]) throws(OpenSSLError) {
    let key = try PEM.read(bytes, what: "a private key file") { label, content throws(OpenSSLError) in
      switch label {
      case "PRIVATE KEY": return try OpenSSLSigningKey.decode(content)
      case "ENCRYPTED PRIVATE KEY": throw OpenSSLError.encryptedKey
      case _ where label.hasSuffix("PRIVATE KEY") || label == "EC PARAMETERS":
        throw OpenSSLError(
          .wrongContent,
          """
          The private key is in an old form (“\(label)”). Convert it with: \
          openssl pkcs8 -topk8 -nocrypt -in OLD.pem -out NEW.pem
          """)
      default: throw OpenSSLError(.wrongContent, "This is not a private key: the file holds a “\(label)”.")
      }
    }
    try self.init(key)
  }

  /// The key as unencrypted PKCS#8 in its text form. Whoever has these bytes has the key: a file of them belongs to
  /// its owner alone (mode 0600).
  public func pem() throws(OpenSSLError) -> SecretBytes {
    try unsafe PEM.write { unsafe PEM_write_bio_PKCS8PrivateKey($0, key.pointer, nil, nil, 0, nil, nil) == 1 }
  }

  private static func decode(_ content: Span<UInt8>) throws(OpenSSLError) -> EVPKey {
    // Unsafe: the library reads the buffer during the call only, and moves `position` behind what it has read.
    let (info, isWhole) = unsafe content.withUnsafeBufferPointer { buffer in
      var position = buffer.baseAddress
      let info = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &position, buffer.count)
      return unsafe (info, position == buffer.baseAddress?.advanced(by: buffer.count))
    }
    // The library wipes the key inside before it frees it.
    defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
    guard let info = unsafe info, isWhole else {
      throw OpenSSLError(.damaged, "The private key is damaged: it is not PKCS#8.", cause: LibraryError.take())
    }
    guard let pointer = unsafe EVP_PKCS82PKEY(info) else {
      throw OpenSSLError(
        .invalidKey, "The private key is not of a known kind, or its numbers make no sense.", cause: LibraryError.take()
      )
    }
    return unsafe EVPKey(owning: pointer)
  }
}
