/// Lower-case hexadecimal, two digits a byte.
public func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits: [UInt8] = [48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 97, 98, 99, 100, 101, 102]
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}

/// The bytes that hexadecimal text stands for, or nil when it is not an even number of hexadecimal digits.
public func bytes(hexadecimal text: String) -> [UInt8]? {
  var result: [UInt8] = []
  var high: UInt8?
  for character in text.utf8 {
    let digit: UInt8
    switch character {
    case 48...57: digit = character - 48
    case 65...70: digit = character - 55
    case 97...102: digit = character - 87
    default: return nil
    }
    if let first = high {
      result.append(first << 4 | digit)
      high = nil
    } else {
      high = digit
    }
  }
  return high == nil ? result : nil
}
