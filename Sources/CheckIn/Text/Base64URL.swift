/// Base64 with the alphabet that is safe in URLs and file names, without padding (RFC 4648 §5).
public enum Base64URL {
  /// The text of the bytes: four characters for three bytes, none for the missing rest.
  public static func encode(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(alphabet[Int(bits >> count & 63)])
      }
    }
    if count > 0 { text.append(alphabet[Int(bits << (6 - count) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of the text, or nil when it is not the one text that stands for them: a foreign character, padding, a
  /// length that nothing has, or bits behind the end that are not zero.
  public static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 3 / 4)
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for character in text.utf8 {
      guard let value = value(of: character) else { return nil }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    // Six bits left over are a character that adds no byte.
    guard count < 6, bits & (1 << count - 1) == 0 else { return nil }
    return bytes
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case 65...90: UInt32(character) - 65
    case 97...122: UInt32(character) - 71
    case 48...57: UInt32(character) + 4
    case 45: 62
    case 95: 63
    default: nil
    }
  }
}
