/// Walks over items and judges each byte of them.
struct CBORValidator {
  private let bytes: [UInt8]
  private(set) var position: Int

  init(_ bytes: [UInt8], from position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  /// Judges the whole input as one item.
  mutating func validate() throws(CBORError) {
    try skip()
    guard position == bytes.count else { throw CBORError(.trailingBytes, at: position) }
  }

  /// Judges the next item and moves behind it.
  mutating func skip() throws(CBORError) {
    try item(depth: 0)
  }

  private mutating func item(depth: Int) throws(CBORError) {
    let start = position
    let head = try CBORHead(bytes, at: &position)
    switch head.type {
    case .unsigned, .negative, .simple:
      return
    case .bytes:
      _ = try content(head, at: start)
    case .text:
      let range = try content(head, at: start)
      guard isUTF8(bytes.span.extracting(range)) else { throw CBORError(.notUTF8, at: start) }
    case .array:
      try enter(depth, at: start)
      // Each item has at least one byte.
      guard head.argument <= UInt64(bytes.count - position) else { throw CBORError(.truncated, at: start) }
      for _ in 0..<head.argument {
        try item(depth: depth + 1)
      }
    case .map:
      try enter(depth, at: start)
      guard head.argument <= UInt64(bytes.count - position) / 2 else { throw CBORError(.truncated, at: start) }
      try pairs(head.argument, depth: depth + 1)
    case .tag:
      try enter(depth, at: start)
      let content = position
      try item(depth: depth + 1)
      if head.argument == 2 || head.argument == 3 {
        try bignum(at: content)
      }
    }
  }

  private func enter(_ depth: Int, at start: Int) throws(CBORError) {
    guard depth < CBORReader.maximumDepth else { throw CBORError(.tooDeep, at: start) }
  }

  private mutating func content(_ head: CBORHead, at start: Int) throws(CBORError) -> Range<Int> {
    guard head.argument <= UInt64(bytes.count - position) else { throw CBORError(.truncated, at: start) }
    let range = position..<position + Int(head.argument)
    position = range.upperBound
    return range
  }

  private mutating func pairs(_ count: UInt64, depth: Int) throws(CBORError) {
    var previous: Range<Int>?
    for _ in 0..<count {
      let start = position
      try item(depth: depth)
      let key = start..<position
      if let previous {
        guard !bytes[previous].elementsEqual(bytes[key]) else { throw CBORError(.duplicateKey, at: start) }
        guard bytes[previous].lexicographicallyPrecedes(bytes[key]) else {
          throw CBORError(.keysNotSorted, at: start)
        }
      }
      previous = key
      try item(depth: depth)
    }
  }

  /// A bignum (RFC 8949 §3.4.3) that would fit a plain number, or begins with a zero, is not in its shortest form.
  private func bignum(at start: Int) throws(CBORError) {
    var position = start
    let head = try CBORHead(bytes, at: &position)
    guard head.type == .bytes else { throw CBORError(.wrongType, at: start) }
    guard head.argument > 8, bytes[position] != 0 else { throw CBORError(.notShortest, at: start) }
  }
}
