public import CheckInCore
internal import Synchronization

/// **Not cryptography.** A toy that is deterministic and needs no library, for tests of what stands above it: anyone can
/// make its signatures, and its hash resists nobody. Changed bytes are noticed, which is all that tests need of it.
public final class FakeCryptography: Cryptography {
  private let state: Mutex<UInt64>

  /// A toy whose "random" bytes follow from `seed`.
  public init(seed: UInt64 = 1) {
    state = Mutex(seed)
  }

  /// A toy hash of the right size.
  public func sha256(_ bytes: Span<UInt8>) -> Digest {
    Digest(toyHash(bytes, salt: 0))!
  }

  /// Whether it is the toy signature of that key.
  public func verify(_ signature: Span<UInt8>, of message: Span<UInt8>, by key: PublicKey) -> Bool {
    let right = toySignature(of: message, by: key)
    guard signature.count == right.count else { return false }
    return right.indices.allSatisfy { right[$0] == signature[$0] }
  }

  /// The next bytes of the sequence that the seed began.
  public func randomBytes(_ count: Int) -> [UInt8] {
    state.withLock { state in
      (0..<count).map { _ in
        state &+= 0x9e37_79b9_7f4a_7c15
        return UInt8(truncatingIfNeeded: mixed(state) >> 32)
      }
    }
  }
}

/// A key of ``FakeCryptography``: its "signatures" follow from the public half and the message.
public struct FakeSigningKey: SigningKey {
  /// What the toy signatures follow from.
  public let publicKey: PublicKey

  /// A key that follows from its name.
  public init(_ name: String, algorithm: SignatureAlgorithm = .ed25519) {
    let seed = Array("key \(name)".utf8)
    let bytes = toyHash(seed.span, salt: 1) + toyHash(seed.span, salt: 2)
    publicKey = PublicKey(algorithm: algorithm, bytes: Array(bytes.prefix(algorithm.publicKeySize)))!
  }

  /// The toy signature; it never fails.
  public func sign(_ message: Span<UInt8>) -> [UInt8] {
    toySignature(of: message, by: publicKey)
  }
}

private func toySignature(of message: Span<UInt8>, by key: PublicKey) -> [UInt8] {
  let digest = toyHash(message, salt: 3)
  let signed = (key.bytes + [UInt8(truncatingIfNeeded: key.algorithm.rawValue)] + digest)
  return toyHash(signed.span, salt: 4) + toyHash(signed.span, salt: 5)
}

/// Four lanes of FNV-1a with different starts, each mixed at the end: 32 bytes.
private func toyHash(_ bytes: Span<UInt8>, salt: UInt64) -> [UInt8] {
  let start = 0xcbf2_9ce4_8422_2325 &+ salt &* 0x1_0001
  var (one, two, three, four) = (mixed(start), mixed(start &+ 1), mixed(start &+ 2), mixed(start &+ 3))
  // One pass, and no iterator: much of what the tests do is this, and they are not optimised.
  var index = 0
  while index < bytes.count {
    let byte = UInt64(bytes[index])
    index += 1
    one = (one ^ byte) &* 0x100_0000_01b3
    two = (two ^ byte) &* 0x100_0000_01b3
    three = (three ^ byte) &* 0x100_0000_01b3
    four = (four ^ byte) &* 0x100_0000_01b3
  }
  var result: [UInt8] = []
  for lane in [one, two, three, four] {
    let last = mixed(lane ^ UInt64(bytes.count))
    result += (0..<8).map { UInt8(truncatingIfNeeded: last >> ($0 * 8)) }
  }
  return result
}

/// The finisher of splitmix64: every bit of the input moves half of the output.
private func mixed(_ value: UInt64) -> UInt64 {
  var value = value
  value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
  value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
  return value ^ value >> 31
}
