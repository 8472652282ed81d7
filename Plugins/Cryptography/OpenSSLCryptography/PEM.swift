internal import COpenSSL
internal import CheckInCore

/// Reads and writes the text form of keys (RFC 7468), without leaving copies of them in memory (R20).
enum PEM {
  /// Finds the first PEM in the bytes and hands `body` its label and its content, which are wiped afterwards.
  ///
  /// - Throws: ``OpenSSLError/Code/notPEM`` or ``OpenSSLError/Code/damaged``, or what `body` throws. `what` names the
  ///   thing that was looked for.
  static func read<Result>(
    _ bytes: [UInt8], what: String, _ body: (_ label: String, _ content: Span<UInt8>) throws(OpenSSLError) -> Result
  ) throws(OpenSSLError) -> Result {
    guard bytes.count <= 1 << 20 else {
      throw OpenSSLError(.notPEM, "This is not \(what): it is larger than 1 MiB.")
    }
    var label: UnsafeMutablePointer<CChar>?
    var header: UnsafeMutablePointer<CChar>?
    var content: UnsafeMutablePointer<UInt8>?
    var count = 0
    // Unsafe: the library reads the buffer during the call only, and hands out three allocations, freed below.
    let found = unsafe bytes.withUnsafeBufferPointer { buffer -> Int32 in
      guard let input = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count)) else { return 0 }
      defer { unsafe BIO_free(input) }
      return unsafe PEM_read_bio_ex(input, &label, &header, &content, &count, UInt32(PEM_FLAG_SECURE))
    }
    defer {
      unsafe CRYPTO_secure_free(label, nil, 0)
      unsafe CRYPTO_secure_free(header, nil, 0)
      unsafe CRYPTO_secure_clear_free(content, count, nil, 0)
    }
    guard found == 1, let label = unsafe label, let content = unsafe content else {
      let cause = LibraryError.take()
      guard bytes.span.contains("-----BEGIN ") else {
        throw OpenSSLError(.notPEM, "This is not \(what): there is no “-----BEGIN” line.", cause: cause)
      }
      throw OpenSSLError(
        .damaged, "This was \(what) once: its text is cut off or damaged. Copy the whole file again.", cause: cause)
    }
    if let header = unsafe header, unsafe String(cString: header).contains("ENCRYPTED") {
      throw OpenSSLError.encryptedKey
    }
    return try unsafe body(String(cString: label), Span(_unsafeStart: content, count: count))
  }

  /// What `write` puts into a memory that is wiped when it is freed.
  static func write(_ write: (OpaquePointer) -> Bool) throws(OpenSSLError) -> SecretBytes {
    guard let output = unsafe BIO_new(BIO_s_secmem()) else {
      throw OpenSSLError(.library, "OpenSSL has no memory left.", cause: LibraryError.take())
    }
    defer { unsafe BIO_free(output) }
    guard unsafe write(output) else {
      throw OpenSSLError(.library, "OpenSSL could not write the key.", cause: LibraryError.take())
    }
    var start: UnsafeMutablePointer<CChar>?
    let count = unsafe BIO_ctrl(output, BIO_CTRL_INFO, 0, &start)
    var bytes = unsafe start.map { start in
      unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
    guard bytes != nil else { throw OpenSSLError(.library, "OpenSSL wrote nothing.") }
    defer { SecretBytes.wipe(&bytes!) }
    return SecretBytes(bytes!)
  }
}

extension OpenSSLError {
  static let encryptedKey = OpenSSLError(
    .encrypted,
    "The private key is protected by a password. Remove it with: openssl pkey -in OLD.pem -out NEW.pem")
}

extension Span where Element == UInt8 {
  /// Whether the text stands somewhere in these bytes.
  fileprivate func contains(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard count >= length else { return false }
    return (0...count - length).contains { start in
      // Unsafe: a constant of the program, read within its length.
      (0..<length).allSatisfy { unsafe self[start + $0] == text.utf8Start[$0] }
    }
  }
}
