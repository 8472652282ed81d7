internal import CPeers
internal import CheckInCore
internal import OpenSSLCryptography
internal import Scene

/// How long what is signed is: about as long as a message of the protocol.
private let signedSize = 300

extension Workload {
  /// One signature, made or verified.
  static let signatures = [
    Workload("sign-ed25519") { count in try sign(.ed25519, count) },
    Workload("verify-ed25519") { count in try verify(.ed25519, count) },
    Workload("sign-es256") { count in try sign(.es256, count) },
    Workload("verify-es256") { count in try verify(.es256, count) },
    Workload("sign-ed25519-evp") { count in try judged(evp_sign(PEER_ED25519, signedSize, count)) },
    Workload("verify-ed25519-evp") { count in try judged(evp_verify(PEER_ED25519, signedSize, count)) },
    Workload("sign-es256-evp") { count in try judged(evp_sign(PEER_ES256, signedSize, count)) },
    Workload("verify-es256-evp") { count in try judged(evp_verify(PEER_ES256, signedSize, count)) },
  ]

  private static func sign(_ algorithm: SignatureAlgorithm, _ count: Int) throws -> Double {
    let key = try OpenSSLSigningKey.generate(algorithm)
    let message = [UInt8](repeating: 7, count: signedSize)
    func repeated(_ count: Int) throws {
      for _ in 0..<count {
        guard try key.sign(message.span).count == 64 else { throw BenchmarkError("A signature has another size.") }
      }
    }
    try repeated(count / 10)
    let watch = Stopwatch(.worked)
    try repeated(count)
    return watch.nanoseconds(each: count)
  }

  private static func verify(_ algorithm: SignatureAlgorithm, _ count: Int) throws -> Double {
    let key = try OpenSSLSigningKey.generate(algorithm)
    let cryptography = OpenSSLCryptography()
    let message = [UInt8](repeating: 7, count: signedSize)
    let signature = try key.sign(message.span)
    func repeated(_ count: Int) throws {
      for _ in 0..<count {
        guard cryptography.verify(signature.span, of: message.span, by: key.publicKey) else {
          throw BenchmarkError("A signature does not verify.")
        }
      }
    }
    try repeated(count / 10)
    let watch = Stopwatch(.worked)
    try repeated(count)
    return watch.nanoseconds(each: count)
  }
}
