/// Writes CBOR in the deterministic encoding of RFC 8949 §4.2.1: shortest numbers and definite lengths.
///
/// The caller writes what it announced: after ``beginArray(_:)`` that many items, after ``beginMap(_:)`` that many pairs
/// with the keys in bytewise order of their encodings, after ``tag(_:)`` one item.
public struct CBORWriter: Sendable {
  /// What was written so far.
  public private(set) var bytes: [UInt8]

  /// An empty writer with room for `capacity` bytes. With room enough no copy of a secret is left in old memory.
  public init(capacity: Int = 0) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// Writes a number that is not negative.
  public mutating func write(_ number: UInt64) {
    head(.unsigned, number)
  }

  /// Writes a number.
  public mutating func write(_ number: Int64) {
    if number < 0 {
      head(.negative, UInt64(bitPattern: ~number))
    } else {
      head(.unsigned, UInt64(bitPattern: number))
    }
  }

  /// Writes a byte string.
  public mutating func write(_ content: [UInt8]) {
    head(.bytes, UInt64(content.count))
    bytes += content
  }

  /// Writes a text.
  public mutating func write(_ text: String) {
    var text = text
    text.makeContiguousUTF8()
    head(.text, UInt64(text.utf8.count))
    bytes += text.utf8
  }

  /// Writes a text that is given as ASCII characters, such as a PIN that never becomes a `String`.
  ///
  /// - Precondition: every byte is below 128.
  public mutating func write(ascii characters: [UInt8]) {
    precondition(characters.allSatisfy { $0 < 128 }, "not ASCII")
    head(.text, UInt64(characters.count))
    bytes += characters
  }

  /// Writes true or false.
  public mutating func write(_ flag: Bool) {
    bytes.append(flag ? 0xf5 : 0xf4)
  }

  /// Writes null.
  public mutating func writeNull() {
    bytes.append(0xf6)
  }

  /// Announces an array of `count` items.
  public mutating func beginArray(_ count: Int) {
    head(.array, UInt64(count))
  }

  /// Announces a map of `count` pairs.
  public mutating func beginMap(_ count: Int) {
    head(.map, UInt64(count))
  }

  /// Writes the tag of the item that follows.
  public mutating func tag(_ number: UInt64) {
    head(.tag, number)
  }

  /// Writes items that are encoded already.
  public mutating func write(encoded items: [UInt8]) {
    bytes += items
  }

  /// Writes a whole map whose keys and values are encoded already, and sorts it.
  ///
  /// - Precondition: no key is there twice.
  public mutating func writeMap(sorting pairs: [(key: [UInt8], value: [UInt8])]) {
    let sorted = pairs.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    beginMap(sorted.count)
    var previous: [UInt8]?
    for pair in sorted {
      precondition(pair.key != previous, "a key is in the map twice")
      bytes += pair.key
      bytes += pair.value
      previous = pair.key
    }
  }

  private mutating func head(_ type: CBORType, _ argument: UInt64) {
    let major = type.rawValue << 5
    switch argument {
    case 0..<24:
      bytes.append(major | UInt8(argument))
    case 24..<0x100:
      bytes.append(major | 24)
      bytes.append(UInt8(argument))
    case 0x100..<0x1_0000:
      bytes.append(major | 25)
      UInt16(argument).appendBigEndian(to: &bytes)
    case 0x1_0000..<0x1_0000_0000:
      bytes.append(major | 26)
      UInt32(argument).appendBigEndian(to: &bytes)
    default:
      bytes.append(major | 27)
      argument.appendBigEndian(to: &bytes)
    }
  }
}
