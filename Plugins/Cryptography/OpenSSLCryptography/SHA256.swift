internal import COpenSSL
internal import CheckInCore

/// SHA-256 by the library, which is asked for its implementation once and not for each digest.
///
/// SAFETY: the pointer is set once, the object it points to is immutable and counted by the library.
@safe struct SHA256: @unchecked Sendable {
  /// The one implementation of the process: a constant.
  static let shared = SHA256()

  private let implementation: OpaquePointer

  private init() {
    guard let found = unsafe EVP_MD_fetch(nil, "SHA256", nil) else {
      fatalError("OpenSSL has no SHA-256. Is its configuration (openssl.cnf) broken?")
    }
    unsafe implementation = found
  }

  func digest(of bytes: Span<UInt8>) -> Digest {
    var result = InlineArray<32, UInt8>(repeating: 0)
    var output = result.mutableSpan
    // Unsafe: the library reads `count` bytes and writes 32.
    let succeeded = unsafe bytes.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe EVP_Digest(input.baseAddress, input.count, output.baseAddress, nil, implementation, nil)
      }
    }
    guard succeeded == 1, let digest = Digest(result.span) else {
      fatalError("OpenSSL could not compute SHA-256. The machine may be out of memory.")
    }
    return digest
  }
}
