internal import COpenSSL
internal import Certificates
internal import CheckInCore

/// The keys and certificates of a container, as its contents and bags are walked (RFC 7292 §4.1, §4.2).
///
/// Unsafe throughout: every pointer is a part of a structure of the library's that the caller keeps alive during the call.
struct ContainerParts {
  /// How deep bags may stand in bags.
  private static let deepest = 4

  private(set) var keys: [PrivateKey] = []
  private(set) var certificates: [Certificate] = []
  /// Whether something in it has an outdated cipher.
  private(set) var isOutdated = false
  /// What the file may still ask for.
  var budget = WorkBudget()

  private let outdatedCiphers: OutdatedCiphers?

  /// Parts to be collected. `outdatedCiphers` is what opens outdated ciphers; nil: they are refused.
  init(outdatedCiphers: OutdatedCiphers?) {
    self.outdatedCiphers = outdatedCiphers
  }

  // MARK: - Before the password is used

  /// Looks at what one content says about its encryption, and at the bags in it where they are not encrypted.
  mutating func look(at content: UnsafeMutablePointer<PKCS7>) throws(ContainerError) {
    try budget.chargePart()
    switch try unsafe Content(content) {
    case .plain(let bags):
      defer { unsafe SafeBags.free(bags) }
      for index in unsafe 0..<SafeBags.count(bags) {
        guard let bag = unsafe SafeBags.bag(bags, index), unsafe PKCS12_SAFEBAG_get_nid(bag) == NID_pkcs8ShroudedKeyBag
        else { continue }
        try unsafe look(PKCS12_SAFEBAG_get0_pkcs8(bag))
      }
    case .encrypted(let algorithm, _): try unsafe look(cipher: algorithm)
    }
  }

  private mutating func look(_ key: OpaquePointer?) throws(ContainerError) {
    var algorithm: UnsafePointer<X509_ALGOR>?
    if let key = unsafe key { unsafe X509_SIG_get0(key, &algorithm, nil) }
    try unsafe look(cipher: algorithm)
  }

  private mutating func look(cipher: UnsafePointer<X509_ALGOR>?) throws(ContainerError) {
    guard try unsafe CipherCheck.look(cipher, &budget) else { return }
    isOutdated = true
    guard outdatedCiphers != nil else {
      throw ContainerError(
        .outdatedCipher,
        "The container is encrypted with an outdated cipher. Convert it with: \(ContainerError.conversion)")
    }
  }

  // MARK: - With the password

  /// Collects what is in one content.
  mutating func collect(_ content: UnsafeMutablePointer<PKCS7>, _ password: Password) throws(ContainerError) {
    let bags: OpaquePointer
    switch try unsafe Content(content) {
    case .plain(let plain): unsafe bags = plain
    case .encrypted(let algorithm, let bytes):
      let opened = unsafe password.use { text, count in
        unsafe PKCS12_item_decrypt_d2i_ex(
          algorithm, PKCS12_SAFEBAGS_it(), text, count, bytes, 1, outdatedCiphers?.context, nil)
      }
      guard let opened = unsafe opened else { throw cannotOpen() }
      unsafe bags = OpaquePointer(opened)
    }
    defer { unsafe SafeBags.free(bags) }
    try unsafe collect(bags: bags, password, depth: 0, isNew: !Content.isPlain(content))
  }

  /// `isNew`: the bags were encrypted, so nobody has looked at their own encryption yet.
  private mutating func collect(
    bags: OpaquePointer, _ password: Password, depth: Int, isNew: Bool
  ) throws(ContainerError) {
    for index in unsafe 0..<SafeBags.count(bags) {
      guard let bag = unsafe SafeBags.bag(bags, index) else { continue }
      try budget.chargePart()
      switch unsafe PKCS12_SAFEBAG_get_nid(bag) {
      case NID_certBag: try unsafe collectCertificate(bag)
      case NID_keyBag: try unsafe collect(key: PKCS12_SAFEBAG_get0_p8inf(bag))
      case NID_pkcs8ShroudedKeyBag:
        let sealed = unsafe PKCS12_SAFEBAG_get0_pkcs8(bag)
        if isNew { try unsafe look(sealed) }
        let key = unsafe password.use { text, count in
          unsafe PKCS8_decrypt_ex(sealed, text, count, outdatedCiphers?.context, nil)
        }
        guard let key = unsafe key else { throw cannotOpen() }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(key) }
        try unsafe collect(key: key)
      case NID_safeContentsBag:
        guard depth < ContainerParts.deepest else {
          throw ContainerError(.damaged, "The container is damaged: its parts are nested without end.")
        }
        if let inner = unsafe PKCS12_SAFEBAG_get0_safes(bag) {
          // Inner bags were never looked at, encrypted or not.
          try unsafe collect(bags: inner, password, depth: depth + 1, isNew: true)
        }
      default: continue  // Revocation lists and secrets are of no use here.
      }
    }
  }

  private mutating func collectCertificate(_ bag: OpaquePointer) throws(ContainerError) {
    // SDSI certificates are of no use here.
    guard unsafe PKCS12_SAFEBAG_get_bag_nid(bag) == NID_x509Certificate else { return }
    guard let pointer = unsafe PKCS12_SAFEBAG_get1_cert(bag) else {
      throw ContainerError(
        .damaged, "The container is damaged: a certificate in it cannot be read.", cause: LibraryError.take())
    }
    defer { unsafe X509_free(pointer) }
    let der = unsafe derEncoding { unsafe i2d_X509(pointer, $0) } ?? []
    do throws(CertificateError) {
      certificates.append(try Certificate(der: der.span))
    } catch {
      throw ContainerError(.damaged, "A certificate in the container cannot be used: \(error.message)", cause: error)
    }
  }

  private mutating func collect(key: OpaquePointer?) throws(ContainerError) {
    var der = unsafe derEncoding { unsafe i2d_PKCS8_PRIV_KEY_INFO(key, $0) } ?? []
    defer { SecretBytes.wipe(&der) }
    do throws(CertificateError) {
      keys.append(try PrivateKey(pkcs8: der.span))
    } catch {
      guard error.code == .unsupportedKey else {
        throw ContainerError(
          .damaged, "The private key in the container cannot be used: \(error.message)", cause: error)
      }
      throw ContainerError(
        .unsupportedKey,
        "The private key in the container is of a kind that is not used here. It must be Ed25519, or ECDSA on P-256.",
        cause: error)
    }
  }

  /// Why something could not be decrypted although the MAC was right.
  private func cannotOpen() -> ContainerError {
    let cause = LibraryError.take()
    if isOutdated, outdatedCiphers?.hasLegacyProvider == false {
      return ContainerError(
        .outdatedCipher,
        """
        The container is encrypted with an outdated cipher, and this machine does not have OpenSSL's legacy provider, \
        which opens it. On one that has, convert it with: \(ContainerError.conversion)
        """, cause: cause)
    }
    return ContainerError(
      .damaged,
      "A part of the container cannot be decrypted, although the password is right. It may have another password.",
      cause: cause)
  }
}
