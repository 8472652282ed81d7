/// The major types of CBOR (RFC 8949 §3.1).
public enum CBORType: UInt8, Hashable, Sendable, CaseIterable {
  /// A number from 0 to 2⁶⁴ − 1.
  case unsigned = 0
  /// A number from −1 to −2⁶⁴.
  case negative = 1
  /// A byte string.
  case bytes = 2
  /// A text.
  case text = 3
  /// An array.
  case array = 4
  /// A map.
  case map = 5
  /// A tag, which has one item behind it.
  case tag = 6
  /// False, true or null; other simple values and floats are never accepted.
  case simple = 7

  /// The type that the first byte of an item names: its three upper bits (RFC 8949 §3.1).
  @inline(__always)
  init(firstByte byte: UInt8) {
    switch byte >> 5 {
    case 0: self = .unsigned
    case 1: self = .negative
    case 2: self = .bytes
    case 3: self = .text
    case 4: self = .array
    case 5: self = .map
    case 6: self = .tag
    default: self = .simple
    }
  }
}
