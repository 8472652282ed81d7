/// Whether the bytes are UTF-8 as RFC 3629 §4 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
package func isUTF8(_ bytes: Span<UInt8>) -> Bool {
  var index = 0
  while index < bytes.count {
    let first = bytes[index]
    let following: Int
    // Overlong forms, surrogates and too large numbers all show in the second byte.
    var second: ClosedRange<UInt8> = 0x80...0xbf
    switch first {
    case 0x00...0x7f: following = 0
    case 0xc2...0xdf: following = 1
    case 0xe0: (following, second) = (2, 0xa0...0xbf)
    case 0xed: (following, second) = (2, 0x80...0x9f)
    case 0xe1...0xef: following = 2
    case 0xf0: (following, second) = (3, 0x90...0xbf)
    case 0xf1...0xf3: following = 3
    case 0xf4: (following, second) = (3, 0x80...0x8f)
    default: return false
    }
    guard following < bytes.count - index else { return false }
    if following > 0 {
      guard second.contains(bytes[index + 1]) else { return false }
      for offset in stride(from: 2, through: following, by: 1) {
        guard bytes[index + offset] & 0xc0 == 0x80 else { return false }
      }
    }
    index += following + 1
  }
  return true
}
