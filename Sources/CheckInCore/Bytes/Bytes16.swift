/// Sixteen bytes held inline: the shape of every identifier and nonce on the wire.
public struct Bytes16: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// Takes exactly sixteen bytes; any other count gives nil.
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = bytes.bigEndianInteger(at: 0)
    low = bytes.bigEndianInteger(at: 8)
  }

  /// Takes exactly sixteen bytes; any other count gives nil.
  public init?(_ bytes: [UInt8]) {
    self.init(bytes.span)
  }

  /// Sixteen bytes from the cryptographic random source.
  public init(random cryptography: some Cryptography) {
    let bytes = cryptography.randomBytes(16)
    high = bytes.span.bigEndianInteger(at: 0)
    low = bytes.span.bigEndianInteger(at: 8)
  }

  /// The sixteen bytes, in order.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    high.appendBigEndian(to: &bytes)
    low.appendBigEndian(to: &bytes)
    return bytes
  }
}
