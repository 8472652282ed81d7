/// A SHA-256 digest (FIPS 180-4): 32 bytes held inline.
public struct Digest: Hashable, Sendable {
  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// Takes exactly 32 bytes; any other count gives nil.
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count == 32 else { return nil }
    words = (
      bytes.bigEndianInteger(at: 0), bytes.bigEndianInteger(at: 8),
      bytes.bigEndianInteger(at: 16), bytes.bigEndianInteger(at: 24)
    )
  }

  /// Takes exactly 32 bytes; any other count gives nil.
  public init?(_ bytes: [UInt8]) {
    self.init(bytes.span)
  }

  /// The 32 bytes, in order.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    words.0.appendBigEndian(to: &bytes)
    words.1.appendBigEndian(to: &bytes)
    words.2.appendBigEndian(to: &bytes)
    words.3.appendBigEndian(to: &bytes)
    return bytes
  }

  /// The first six bytes in hexadecimal: enough to tell tokens apart in a log, too little to be one.
  public var prefix: String {
    hexadecimal(Array(bytes.prefix(6)))
  }

  /// Whether all 32 bytes are the same.
  public static func == (left: Digest, right: Digest) -> Bool {
    left.words == right.words
  }

  /// Half of the bytes: a digest's are as good as random.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}
