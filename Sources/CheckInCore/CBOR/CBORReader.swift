/// Reads one CBOR item that is in the deterministic encoding of RFC 8949 §4.2.1, and no other.
///
/// Making a reader judges the whole input: one item and nothing behind it, shortest numbers, definite lengths, UTF-8,
/// map keys in bytewise order and unique, nesting of at most ``maximumDepth``, no floats. Afterwards a read can only find
/// another type or size than it asked for. No input traps, and no count is believed before the bytes for it are seen.
public struct CBORReader: Sendable {
  /// How deep arrays, maps and tags may be nested.
  public static let maximumDepth = 8

  private let bytes: [UInt8]
  /// How many bytes have been read.
  public private(set) var position = 0

  /// A reader at the start of `bytes`.
  ///
  /// - Throws: what is wrong with the bytes, and where.
  public init(_ bytes: [UInt8]) throws(CBORError) {
    self.bytes = bytes
    try CBORValidator.validate(bytes.span)
  }

  /// Whether everything has been read.
  public var isAtEnd: Bool { position == bytes.count }

  /// The type of the next item; nil at the end.
  public var nextType: CBORType? {
    guard position < bytes.count else { return nil }
    return CBORType(firstByte: bytes[position])
  }

  /// Reads a number that is not negative.
  public mutating func readUnsigned() throws(CBORError) -> UInt64 {
    try argument(.unsigned)
  }

  /// Reads a number that fits 64 bits with a sign.
  public mutating func readInteger() throws(CBORError) -> Int64 {
    let start = position
    let head = try self.head()
    guard head.type == .unsigned || head.type == .negative else { throw failure(.wrongType, at: start) }
    guard head.argument <= UInt64(Int64.max) else { throw failure(.outOfRange, at: start) }
    let number = Int64(head.argument)
    return head.type == .negative ? ~number : number
  }

  /// Reads a byte string of at most `limit` bytes.
  public mutating func readBytes(limit: Int = .max) throws(CBORError) -> [UInt8] {
    let content = try content(.bytes, limit)
    return Array(bytes[content])
  }

  /// Reads a byte string of at most `limit` bytes: shows it to `body`, and answers what that answers. No copy is made.
  public mutating func readBytes<Value>(
    limit: Int = .max, _ body: (Span<UInt8>) -> Value
  ) throws(CBORError) -> Value {
    let content = try content(.bytes, limit)
    return body(bytes.span.extracting(content))
  }

  /// Reads a text of at most `limit` bytes of UTF-8.
  public mutating func readText(limit: Int = .max) throws(CBORError) -> String {
    let content = try content(.text, limit)
    return String(decoding: bytes[content], as: UTF8.self)
  }

  /// Reads a text of at most `limit` bytes as its UTF-8, for what shall not become a `String`.
  public mutating func readTextBytes(limit: Int = .max) throws(CBORError) -> [UInt8] {
    let content = try content(.text, limit)
    return Array(bytes[content])
  }

  /// Reads true or false.
  public mutating func readBool() throws(CBORError) -> Bool {
    let start = position
    let head = try self.head()
    guard head.type == .simple, head.argument == 20 || head.argument == 21 else {
      throw failure(.wrongType, at: start)
    }
    return head.argument == 21
  }

  /// Reads null.
  public mutating func readNull() throws(CBORError) {
    let start = position
    let head = try self.head()
    guard head.type == .simple, head.argument == 22 else { throw failure(.wrongType, at: start) }
  }

  /// Reads the head of an array of at most `limit` items: so many items follow.
  public mutating func readArrayHead(limit: Int = .max) throws(CBORError) -> Int {
    try count(.array, limit)
  }

  /// Reads the head of a map of at most `limit` pairs: so many keys, each with its value, follow, in bytewise order.
  public mutating func readMapHead(limit: Int = .max) throws(CBORError) -> Int {
    try count(.map, limit)
  }

  /// Reads a tag; the item that it is for follows.
  public mutating func readTag() throws(CBORError) -> UInt64 {
    try argument(.tag)
  }

  /// Passes over the next item, whatever it is.
  public mutating func skip() throws(CBORError) {
    var next = position
    try CBORValidator.skip(bytes.span, at: &next)
    position = next
  }

  /// Passes over the next item and hands out its encoding.
  public mutating func readEncoded() throws(CBORError) -> [UInt8] {
    let start = position
    try skip()
    return Array(bytes[start..<position])
  }

  private mutating func argument(_ type: CBORType) throws(CBORError) -> UInt64 {
    let start = position
    let head = try self.head()
    guard head.type == type else { throw failure(.wrongType, at: start) }
    return head.argument
  }

  private mutating func count(_ type: CBORType, _ limit: Int) throws(CBORError) -> Int {
    let start = position
    let count = try argument(type)
    // The input was judged: what it counts is there, so the count fits.
    guard count <= UInt64(bytes.count) else { throw failure(.truncated, at: start) }
    guard Int(count) <= limit else { throw failure(.tooLong, at: start) }
    return Int(count)
  }

  private mutating func content(_ type: CBORType, _ limit: Int) throws(CBORError) -> Range<Int> {
    let start = position
    let count = try count(type, limit)
    guard count <= bytes.count - position else { throw failure(.truncated, at: start) }
    let range = position..<position + count
    position = range.upperBound
    return range
  }

  private mutating func head() throws(CBORError) -> CBORHead {
    // Most numbers are small, and stand in the first byte.
    if position < bytes.count, let head = CBORHead(small: bytes[position]) {
      position += 1
      return head
    }
    var next = position
    let head = try CBORHead(bytes.span, at: &next)
    position = next
    return head
  }

  /// A failed read leaves the reader where it was.
  private mutating func failure(_ code: CBORError.Code, at offset: Int) -> CBORError {
    position = offset
    return CBORError(code, at: offset)
  }
}
