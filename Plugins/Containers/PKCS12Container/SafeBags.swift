internal import COpenSSL

/// One content of a container: bags that are there to be read, or encrypted ones.
///
/// Unsafe throughout: the pointers are parts of a structure of the library's that the caller keeps alive.
@unsafe enum Content {
  /// The bags, which the caller frees.
  case plain(OpaquePointer)
  /// How the bags are encrypted, and the encrypted bytes.
  case encrypted(UnsafePointer<X509_ALGOR>, UnsafePointer<ASN1_OCTET_STRING>)

  /// Reads a content. Every pointer may be null in a file that somebody made up.
  init(_ content: UnsafeMutablePointer<PKCS7>) throws(ContainerError) {
    let damaged = ContainerError(.damaged, "The container is damaged: a part of it cannot be read.")
    guard unsafe content.pointee.type != nil, unsafe content.pointee.d.ptr != nil else { throw damaged }
    switch unsafe OBJ_obj2nid(content.pointee.type) {
    case NID_pkcs7_data:
      guard let bags = unsafe PKCS12_unpack_p7data(content) else {
        ERR_clear_error()
        throw damaged
      }
      unsafe self = .plain(bags)
    case NID_pkcs7_encrypted:
      guard let inner = unsafe content.pointee.d.encrypted?.pointee.enc_data,
        let algorithm = unsafe inner.pointee.algorithm, let bytes = unsafe inner.pointee.enc_data
      else { throw damaged }
      unsafe self = .encrypted(UnsafePointer(algorithm), UnsafePointer(bytes))
    default:
      throw ContainerError(
        .unsupportedCipher,
        "A part of the container is encrypted for somebody's key, and not with a password. Write it anew with a password."
      )
    }
  }

  static func isPlain(_ content: UnsafeMutablePointer<PKCS7>) -> Bool {
    unsafe OBJ_obj2nid(content.pointee.type) == NID_pkcs7_data
  }
}

/// The library's stack of bags.
enum SafeBags {
  static func count(_ bags: OpaquePointer) -> Int32 { unsafe max(0, OPENSSL_sk_num(bags)) }

  static func bag(_ bags: OpaquePointer, _ index: Int32) -> OpaquePointer? {
    unsafe OPENSSL_sk_value(bags, index).map { OpaquePointer($0) }
  }

  static func free(_ bags: OpaquePointer) {
    unsafe OPENSSL_sk_pop_free(bags) { unsafe PKCS12_SAFEBAG_free($0.map { OpaquePointer($0) }) }
  }
}
