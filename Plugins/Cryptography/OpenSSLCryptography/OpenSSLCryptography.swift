internal import COpenSSL
public import CheckInCore

/// The core's primitives, by OpenSSL 3: SHA-256, Ed25519 (RFC 8032), ES256 (RFC 9053 §2.1), and random bytes.
///
/// Copies share one bounded cache of parsed public keys. Any number of tasks may use one value at once; nothing waits
/// for anything but a short lock.
public struct OpenSSLCryptography: Cryptography {
  private let keys: PublicKeyCache

  /// Cryptography with a cache of its own.
  public init() {
    self.init(cachedKeys: 512)
  }

  /// Cryptography that remembers at most about so many public keys.
  package init(cachedKeys: Int) {
    keys = PublicKeyCache(generationSize: max(1, cachedKeys / 2))
  }

  /// How many parsed public keys are remembered now.
  package var cachedKeyCount: Int { keys.count }

  /// SHA-256 (FIPS 180-4) of the bytes.
  public func sha256(_ bytes: Span<UInt8>) -> Digest {
    SHA256.shared.digest(of: bytes)
  }

  /// Whether `signature` is `key`'s signature of `message`; false for everything that is not.
  public func verify(_ signature: Span<UInt8>, of message: Span<UInt8>, by key: PublicKey) -> Bool {
    guard signature.count == key.algorithm.signatureSize, let parsed = keys.parsed(key) else { return false }
    let isGood = parsed.verifying.use(parsed, key.algorithm) { $0.verify(signature, of: message) } ?? false
    if !isGood { ERR_clear_error() }
    return isGood
  }

  /// `count` bytes from the library's generator, which the system's random source seeds. Where that fails the process
  /// ends, with the reason on standard error.
  ///
  /// - Precondition: `count` is not negative.
  public func randomBytes(_ count: Int) -> [UInt8] {
    precondition(count >= 0 && count <= Int(Int32.max), "a number of random bytes that makes no sense")
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    // Unsafe: the library writes exactly `count` bytes, or answers that it could not.
    let succeeded = unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe RAND_bytes($0.baseAddress, Int32($0.count))
    }
    guard succeeded == 1 else {
      let reason = LibraryError.take()?.description ?? "no reason given"
      fatalError("The system's random source failed (\(reason)). There is no safe way to go on.")
    }
    return bytes
  }
}
