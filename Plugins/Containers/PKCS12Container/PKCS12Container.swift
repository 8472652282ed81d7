internal import COpenSSL
internal import Certificates
public import CheckInCore

/// Containers in the form PKCS#12 (RFC 7292): a private key, its certificate and the certificates above it, in one file
/// under one password.
public enum PKCS12Container {
  /// How large a file may be: 1 MiB.
  public static let largest = 1 << 20

  /// Reads a container.
  ///
  /// It takes as long as the file's iteration counts ask for, which are bounded: a few seconds at the very most. It blocks
  /// the thread for that time.
  ///
  /// - Parameters:
  ///   - bytes: the whole file, at most ``largest`` bytes.
  ///   - password: the password in UTF-8. Nil and an empty one are the same: both encodings that "no password" has are tried.
  ///   - now: seconds since 1970-01-01T00:00:00Z. The certificate must be valid then, with the leeway of five minutes that
  ///     the other side will give it too (R21). Nil: whatever its times are, to look at what is in there.
  ///   - allowsOutdatedCipher: whether RC2, RC4, DES and 3DES are opened. All but the last need OpenSSL's legacy provider,
  ///     which is loaded for this call alone.
  /// - Throws: an error whose code says what is wrong (R24). No bytes make it crash.
  public static func read(
    _ bytes: [UInt8], password: SecretBytes?, now: Int64?, allowsOutdatedCipher: Bool = false
  ) throws(ContainerError) -> Container {
    defer { ERR_clear_error() }
    let parts = try open(bytes, password: password, allowsOutdatedCipher: allowsOutdatedCipher)
    let container = try assemble(parts)
    guard let now else { return container }
    switch container.certificate.standing(at: now) {
    case .valid: return container
    case .expired(let seconds):
      throw ContainerError(
        .expired,
        "The certificate of “\(container.certificate.shownName)” expired \(durationText(seconds)) ago. Ask the organizer for a new container."
      )
    case .notYetValid(let seconds):
      throw ContainerError(
        .notYetValid,
        "The certificate of “\(container.certificate.shownName)” will be valid in \(durationText(seconds)). Is the clock right?"
      )
    }
  }

  /// The keys and certificates of a file, in its order.
  private static func open(
    _ bytes: [UInt8], password: SecretBytes?, allowsOutdatedCipher: Bool
  ) throws(ContainerError) -> ContainerParts {
    guard bytes.count <= largest else {
      throw ContainerError(
        .tooLarge, "The file has \(bytes.count) bytes, and a container has at most \(largest). Is it the right file?")
    }
    try ContainerOutline.check(bytes)
    guard let file = unsafe parse(bytes) else {
      throw ContainerError(
        .damaged, "The container is damaged: it cannot be read as PKCS#12. Copy it again.", cause: LibraryError.take())
    }
    defer { unsafe PKCS12_free(file) }
    guard unsafe PKCS12_mac_present(file) == 1 else {
      throw ContainerError(
        .noMAC,
        "The container has no MAC, so nobody can tell whether it was changed. Write it anew, without -nomac.")
    }
    guard let contents = unsafe PKCS12_unpack_authsafes(file) else {
      throw ContainerError(
        .damaged, "The container is damaged: its contents cannot be read.", cause: LibraryError.take())
    }
    defer {
      unsafe OPENSSL_sk_pop_free(contents) { unsafe PKCS7_free($0?.assumingMemoryBound(to: PKCS7.self)) }
    }
    let outdated = allowsOutdatedCipher ? try OutdatedCiphers() : nil
    var parts = ContainerParts(outdatedCiphers: outdated)
    let count = unsafe max(0, OPENSSL_sk_num(contents))
    func content(_ index: Int32) -> UnsafeMutablePointer<PKCS7>? {
      unsafe OPENSSL_sk_value(contents, index)?.assumingMemoryBound(to: PKCS7.self)
    }
    for index in 0..<count {
      if let content = unsafe content(index) { try unsafe parts.look(at: content) }
    }
    let password = try unsafe right(Password.candidates(password), for: file, &parts.budget)
    for index in 0..<count {
      if let content = unsafe content(index) { try unsafe parts.collect(content, password) }
    }
    return parts
  }

  /// One of the library's containers from all of the bytes; nil when they are none.
  private static func parse(_ bytes: [UInt8]) -> OpaquePointer? {
    // Unsafe: the library reads at most `count` bytes, during the call only.
    unsafe bytes.withUnsafeBufferPointer { buffer in
      var position = buffer.baseAddress
      guard let file = unsafe d2i_PKCS12(nil, &position, buffer.count) else { return nil }
      if unsafe position == buffer.baseAddress.map({ unsafe $0 + buffer.count }) { return unsafe file }
      unsafe PKCS12_free(file)
      return nil
    }
  }

  /// The password with which the MAC is right.
  private static func right(
    _ candidates: [Password], for file: OpaquePointer, _ budget: inout WorkBudget
  ) throws(ContainerError) -> Password {
    var mac: UnsafePointer<ASN1_OCTET_STRING>?
    var algorithm: UnsafePointer<X509_ALGOR>?
    var salt: UnsafePointer<ASN1_OCTET_STRING>?
    var iterations: UnsafePointer<ASN1_INTEGER>?
    // Unsafe: the library hands out parts of the file.
    unsafe PKCS12_get0_mac(&mac, &algorithm, &salt, &iterations, file)
    try unsafe CipherCheck.look(mac: algorithm, iterations: iterations, attempts: Int64(candidates.count), &budget)
    for candidate in candidates {
      if unsafe candidate.use({ unsafe PKCS12_verify_mac(file, $0, $1) }) == 1 { return candidate }
    }
    let cause = LibraryError.take()
    throw ContainerError(
      .wrongPassword,
      candidates.count > 1
        ? "The container has a password, and none was given; or it was changed since it was written."
        : "The password is not the container's, or it was changed since it was written.", cause: cause)
  }

  /// Finds out what belongs together.
  private static func assemble(_ parts: ContainerParts) throws(ContainerError) -> Container {
    guard let key = parts.keys.first else {
      throw ContainerError(
        .noKey, "There is no private key in the container. It needs one, and its certificate.")
    }
    guard parts.keys.allSatisfy({ $0.publicKey == key.publicKey }) else {
      throw ContainerError(
        .severalKeys, "There are \(parts.keys.count) private keys in the container. Make one container for each.")
    }
    guard !parts.certificates.isEmpty else {
      throw ContainerError(
        .noCertificate, "There is no certificate in the container. It needs that of its private key.")
    }
    guard let certificate = parts.certificates.first(where: { $0.publicKey == key.publicKey }) else {
      throw ContainerError(
        .mismatch, "No certificate in the container belongs to the private key in it. Were two people's files mixed?")
    }
    return Container(key: key, certificate: certificate, chain: chain(from: certificate, parts.certificates))
  }

  /// The other certificates: the issuer first, then that one's, and what belongs to neither at the end.
  private static func chain(from certificate: Certificate, _ all: [Certificate]) -> [Certificate] {
    var rest = all.filter { $0 != certificate }
    var chain: [Certificate] = []
    var last = certificate
    while let index = rest.firstIndex(where: { unsafe X509_check_issued($0.pointer, last.pointer) == X509_V_OK }) {
      last = rest.remove(at: index)
      chain.append(last)
    }
    return chain + rest
  }
}
