/// Base64 with the alphabet and padding of RFC 4648 §4, strictly: no bytes have two texts. It works on bytes and makes no
/// `String`, so that the text of a key can be wiped (R20).
enum Base64Text {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text for the bytes, on one line.
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group: UInt32 = 0
      for index in 0..<3 {
        group = group << 8 | (index < count ? UInt32(bytes[start + index]) : 0)
      }
      for index in 0..<4 {
        let digit = alphabet[Int(group >> (18 - 6 * UInt32(index)) & 63)]
        text.append(index <= count ? digit : UInt8(ascii: "="))
      }
    }
    return text
  }

  /// The bytes that the text stands for; nil when it is not exactly what ``encode(_:)`` would give.
  static func decode(_ text: [UInt8]) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var group: UInt32 = 0
    for (index, digit) in text.dropLast(padding).enumerated() {
      guard let value = value(of: digit) else { return nil }
      group = group << 6 | value
      // Three bytes from four digits; the first digit of a group alone gives none.
      let bits = 6 * (UInt32(index % 4) + 1)
      if bits >= 12 { bytes.append(UInt8(truncatingIfNeeded: group >> (bits % 8))) }
      if index % 4 == 3 { group = 0 }
    }
    // The bits behind the last byte are zero, or another text would give the same bytes.
    let spare: UInt32 = padding == 0 ? 0 : padding == 1 ? 0b11 : 0b1111
    return group & spare == 0 ? bytes : nil
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit) + 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
