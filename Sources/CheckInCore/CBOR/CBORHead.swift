/// The head of an item (RFC 8949 §3): its type and its number, length, count, tag or simple value.
struct CBORHead {
  let type: CBORType
  let argument: UInt64

  /// Reads the head at `position` and moves behind it. On failure `position` is where it was.
  @inline(__always)
  init(_ bytes: Span<UInt8>, at position: inout Int) throws(CBORError) {
    let start = position
    guard start < bytes.count else { throw CBORError(.truncated, at: start) }
    let type = CBORType(firstByte: bytes[start])
    let information = bytes[start] & 31
    self.type = type
    if type == .simple {
      argument = try CBORHead.simpleValue(information, at: start)
      position = start + 1
      return
    }
    switch information {
    case 0..<24:
      argument = UInt64(information)
      position = start + 1
    case 24...27:
      let size = 1 << Int(information - 24)
      guard bytes.count - start - 1 >= size else { throw CBORError(.truncated, at: start) }
      var value: UInt64 = 0
      for index in start + 1...start + size {
        value = value << 8 | UInt64(bytes[index])
      }
      let shorter: UInt64 = size == 1 ? 24 : 1 << UInt64(size * 4)
      guard value >= shorter else { throw CBORError(.notShortest, at: start) }
      argument = value
      position = start + 1 + size
    case 31 where type != .unsigned && type != .negative && type != .tag:
      throw CBORError(.indefiniteLength, at: start)
    default:
      throw CBORError(.reserved, at: start)
    }
  }

  /// A head whose number stands in its only byte; nil for any other.
  @inline(__always)
  init?(small byte: UInt8) {
    type = CBORType(firstByte: byte)
    argument = UInt64(byte & 31)
    guard argument < 24, type != .simple else { return nil }
  }

  private static func simpleValue(_ information: UInt8, at start: Int) throws(CBORError) -> UInt64 {
    switch information {
    case 20...22: return UInt64(information)
    case 28...30: throw CBORError(.reserved, at: start)
    case 31: throw CBORError(.indefiniteLength, at: start)
    default: throw CBORError(.unsupported, at: start)
    }
  }
}
