/// Walks over items and judges each byte of them.
///
/// Functions of a span, and not a value that keeps the bytes: nothing is counted while each byte is looked at.
enum CBORValidator {
  /// Judges the whole input as one item.
  static func validate(_ bytes: Span<UInt8>) throws(CBORError) {
    var position = 0
    try skip(bytes, at: &position)
    guard position == bytes.count else { throw CBORError(.trailingBytes, at: position) }
  }

  /// Judges the item at `position` and moves behind it. On failure the position is of no meaning.
  static func skip(_ bytes: Span<UInt8>, at position: inout Int) throws(CBORError) {
    try item(bytes, at: &position, depth: 0)
  }

  private static func item(_ bytes: Span<UInt8>, at position: inout Int, depth: Int) throws(CBORError) {
    let start = position
    let head = try CBORHead(bytes, at: &position)
    switch head.type {
    case .unsigned, .negative, .simple:
      return
    case .bytes:
      _ = try content(head, bytes, at: &position, from: start)
    case .text:
      let range = try content(head, bytes, at: &position, from: start)
      guard isUTF8(bytes.extracting(range)) else { throw CBORError(.notUTF8, at: start) }
    case .array:
      try enter(depth, at: start)
      // Each item has at least one byte.
      guard head.argument <= UInt64(bytes.count - position) else { throw CBORError(.truncated, at: start) }
      for _ in 0..<head.argument {
        try item(bytes, at: &position, depth: depth + 1)
      }
    case .map:
      try enter(depth, at: start)
      guard head.argument <= UInt64(bytes.count - position) / 2 else { throw CBORError(.truncated, at: start) }
      try pairs(head.argument, bytes, at: &position, depth: depth + 1)
    case .tag:
      try enter(depth, at: start)
      let content = position
      try item(bytes, at: &position, depth: depth + 1)
      if head.argument == 2 || head.argument == 3 {
        try bignum(bytes, at: content)
      }
    }
  }

  private static func enter(_ depth: Int, at start: Int) throws(CBORError) {
    guard depth < CBORReader.maximumDepth else { throw CBORError(.tooDeep, at: start) }
  }

  private static func content(
    _ head: CBORHead, _ bytes: Span<UInt8>, at position: inout Int, from start: Int
  ) throws(CBORError) -> Range<Int> {
    guard head.argument <= UInt64(bytes.count - position) else { throw CBORError(.truncated, at: start) }
    let range = position..<position + Int(head.argument)
    position = range.upperBound
    return range
  }

  private static func pairs(
    _ count: UInt64, _ bytes: Span<UInt8>, at position: inout Int, depth: Int
  ) throws(CBORError) {
    var previous: Range<Int>?
    for _ in 0..<count {
      let start = position
      try item(bytes, at: &position, depth: depth)
      let key = start..<position
      if let previous {
        switch order(bytes.extracting(previous), bytes.extracting(key)) {
        case 0: throw CBORError(.duplicateKey, at: start)
        case 1...: throw CBORError(.keysNotSorted, at: start)
        default: break
        }
      }
      previous = key
      try item(bytes, at: &position, depth: depth)
    }
  }

  /// Below zero when the left comes first in bytewise order, zero when both are the same, above zero otherwise.
  private static func order(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
    var index = 0
    while index < left.count, index < right.count {
      if left[index] != right[index] { return Int(left[index]) - Int(right[index]) }
      index += 1
    }
    return left.count - right.count
  }

  /// A bignum (RFC 8949 §3.4.3) that would fit a plain number, or begins with a zero, is not in its shortest form.
  private static func bignum(_ bytes: Span<UInt8>, at start: Int) throws(CBORError) {
    var position = start
    let head = try CBORHead(bytes, at: &position)
    guard head.type == .bytes else { throw CBORError(.wrongType, at: start) }
    guard head.argument > 8, bytes[position] != 0 else { throw CBORError(.notShortest, at: start) }
  }
}
