internal import COpenSSL
internal import Certificates
public import CheckInCore

extension PKCS12Container {
  /// How many iterations a password gets in what is written, for the MAC, the certificates and the key each.
  package static let iterations: Int32 = 600_000

  /// Writes a container: AES-256-CBC under PBKDF2 with HMAC-SHA-256 for certificates and key, and a MAC with SHA-256,
  /// with 600,000 iterations each. It blocks the thread for about a second.
  ///
  /// - Parameter password: the password in UTF-8, of at least one byte, and without a NUL.
  /// - Throws: ``ContainerError/Code/unusablePassword``; ``ContainerError/Code/mismatch`` when key and certificate do not
  ///   belong together; ``ContainerError/Code/library``.
  public static func write(_ container: Container, password: SecretBytes) throws(ContainerError) -> [UInt8] {
    try write(container, password: password, iterations: iterations)
  }

  /// The same with another number of iterations, for tests.
  package static func write(
    _ container: Container, password: SecretBytes, iterations: Int32
  ) throws(ContainerError) -> [UInt8] {
    defer { ERR_clear_error() }
    guard password.count > 0, !password.bytes.contains(0), String(validating: password.bytes, as: UTF8.self) != nil
    else {
      throw ContainerError(
        .unusablePassword, "The password for a container is text of at least one character, without a NUL.")
    }
    guard container.certificate.publicKey == container.key.publicKey else {
      throw ContainerError(
        .mismatch, "The certificate of “\(container.certificate.shownName)” does not belong to the private key.")
    }
    // The stack holds no references: the container outlives it.
    let chain = unsafe OPENSSL_sk_new_null()
    defer { unsafe OPENSSL_sk_free(chain) }
    for certificate in container.chain {
      _ = unsafe OPENSSL_sk_push(chain, UnsafeRawPointer(certificate.pointer))
    }
    var text = password.bytes + [0]
    defer { SecretBytes.wipe(&text) }
    let count = Int32(text.count - 1)
    let name = container.certificate.shownName
    // Unsafe: the library reads the password and the certificates during the calls only.
    let bytes = unsafe text.withUnsafeBytes { buffer -> [UInt8] in
      let password = unsafe buffer.assumingMemoryBound(to: CChar.self).baseAddress
      // −1: no MAC yet, as this call knows only SHA-1 for it in some versions.
      guard
        let file = unsafe PKCS12_create_ex(
          password, name, container.key.pointer, container.certificate.pointer, chain, NID_aes_256_cbc, NID_aes_256_cbc,
          iterations, -1, 0, nil, nil)
      else { return [] }
      defer { unsafe PKCS12_free(file) }
      guard unsafe PKCS12_set_mac(file, password, count, nil, 16, iterations, EVP_sha256()) == 1 else { return [] }
      return unsafe derEncoding { unsafe i2d_PKCS12(file, $0) } ?? []
    }
    guard !bytes.isEmpty else {
      throw ContainerError(.library, "OpenSSL could not write the container.", cause: LibraryError.take())
    }
    return bytes
  }
}
