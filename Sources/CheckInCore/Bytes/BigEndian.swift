extension Span where Element == UInt8 {
  /// The eight bytes from `offset` on, read as one big-endian number. The caller has checked that they are there.
  package func bigEndianInteger(at offset: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in offset..<offset + 8 {
      value = value << 8 | UInt64(self[index])
    }
    return value
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  /// The number's bytes, most significant first.
  package var bigEndianBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.bitWidth / 8)
    appendBigEndian(to: &bytes)
    return bytes
  }

  /// Adds the number's bytes behind the last, most significant first.
  package func appendBigEndian(to bytes: inout [UInt8]) {
    var shift = Self.bitWidth - 8
    while shift >= 0 {
      bytes.append(UInt8(truncatingIfNeeded: self >> Self(shift)))
      shift -= 8
    }
  }
}
