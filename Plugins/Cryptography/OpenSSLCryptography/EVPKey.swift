internal import COpenSSL
internal import CheckInCore

/// Owns one key of the library's and frees it with the last reference.
///
/// SAFETY: the pointer is set once, and no function that changes the key is called after `init`. The library allows
/// any number of threads to read, sign and verify with one key at once: each operation has a context of its own.
@safe final class EVPKey: @unchecked Sendable {
  let pointer: OpaquePointer
  /// For signatures that are made with it.
  let signing = SpareContext(.signing)
  /// For signatures that are verified with it.
  let verifying = SpareContext(.verifying)

  init(owning pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  deinit {
    unsafe EVP_PKEY_free(pointer)
  }
}

extension EVPKey {
  /// The library's form of a public key; nil when the bytes are no point on the curve.
  convenience init?(_ key: PublicKey) {
    let pointer: OpaquePointer? =
      switch key.algorithm {
      case .ed25519:
        // Unsafe: the library reads the bytes during the call only.
        unsafe key.bytes.withUnsafeBufferPointer {
          unsafe EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, $0.baseAddress, $0.count)
        }
      case .es256: unsafe EVPKey.p256([4] + key.bytes)
      }
    ERR_clear_error()
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.init(owning: pointer)
  }

  /// A key from a point in its uncompressed form (SEC 1 §2.3.3), which the library checks to be on the curve.
  private static func p256(_ point: [UInt8]) -> OpaquePointer? {
    guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    guard unsafe EVP_PKEY_fromdata_init(context) == 1 else { return nil }
    var group = Array("prime256v1".utf8CString)
    var point = point
    var key: OpaquePointer?
    // EVP_PKEY_PUBLIC_KEY, a macro that the importer does not see.
    let selection =
      OSSL_KEYMGMT_SELECT_PUBLIC_KEY | OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS
    // The parameter names must outlive the parameters that point to them, so they are constants of the program.
    let groupName: StaticString = "group"
    let pointName: StaticString = "pub"
    // Unsafe: the library reads both buffers during this call only.
    unsafe group.withUnsafeMutableBufferPointer { group in
      unsafe point.withUnsafeMutableBufferPointer { point in
        var parameters = unsafe [
          OSSL_PARAM_construct_utf8_string(
            UnsafeRawPointer(groupName.utf8Start).assumingMemoryBound(to: CChar.self), group.baseAddress, 0),
          OSSL_PARAM_construct_octet_string(
            UnsafeRawPointer(pointName.utf8Start).assumingMemoryBound(to: CChar.self), point.baseAddress, point.count),
          OSSL_PARAM_construct_end(),
        ]
        _ = unsafe EVP_PKEY_fromdata(context, &key, selection, &parameters)
      }
    }
    return unsafe key
  }

  /// The public half in the form that the rest of the program uses.
  ///
  /// - Throws: ``OpenSSLError/Code/unsupportedKey`` when it is neither Ed25519 nor on the curve P-256.
  func publicKey() throws(OpenSSLError) -> PublicKey {
    if unsafe EVP_PKEY_is_a(pointer, "ED25519") == 1 {
      var bytes = [UInt8](repeating: 0, count: 32)
      var count = bytes.count
      // Unsafe: the library writes at most `count` bytes.
      if unsafe EVP_PKEY_get_raw_public_key(pointer, &bytes, &count) == 1, count == 32,
        let key = PublicKey(algorithm: .ed25519, bytes: bytes)
      {
        return key
      }
      throw OpenSSLError(.library, "The public half of the key cannot be read.", cause: LibraryError.take())
    }
    guard unsafe EVP_PKEY_is_a(pointer, "EC") == 1, isOnP256 else {
      throw OpenSSLError(
        .unsupportedKey, "The key is of a kind that is not used here. Make one of the kind Ed25519, or ECDSA on P-256.")
    }
    guard let x = coordinate("qx"), let y = coordinate("qy"),
      let key = PublicKey(algorithm: .es256, bytes: x + y)
    else { throw OpenSSLError(.library, "The public half of the key cannot be read.", cause: LibraryError.take()) }
    return key
  }

  /// Whether the library finds that the parts of the key, private and public, belong together.
  var isConsistentPair: Bool {
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return false }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    defer { ERR_clear_error() }
    return unsafe EVP_PKEY_check(context) == 1
  }

  private var isOnP256: Bool {
    var name = [CChar](repeating: 0, count: 32)
    var count = 0
    // Unsafe: the library writes at most the 32 bytes, with a zero at the end.
    guard unsafe EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1 else { return false }
    return name.prefix(count).elementsEqual("prime256v1".utf8CString.dropLast())
  }

  /// One coordinate of the public point: 32 bytes, most significant first.
  private func coordinate(_ name: String) -> [UInt8]? {
    var number: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(pointer, name, &number) == 1, let number = unsafe number else { return nil }
    defer { unsafe BN_free(number) }
    var bytes = [UInt8](repeating: 0, count: 32)
    // Unsafe: the library writes exactly the 32 bytes, or answers −1.
    return unsafe BN_bn2binpad(number, &bytes, 32) == 32 ? bytes : nil
  }
}
