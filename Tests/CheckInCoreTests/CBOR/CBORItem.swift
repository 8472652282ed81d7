internal import CheckInCore

/// Any item that the reader accepts, as a tree.
indirect enum CBORItem: Equatable, Sendable {
  case unsigned(UInt64)
  /// The number −1 − n.
  case negative(UInt64)
  case bytes([UInt8])
  case text(String)
  case array([CBORItem])
  case map([CBORPair])
  case tag(UInt64, CBORItem)
  case bool(Bool)
  case null

  /// Reads one item through the public reader.
  init(_ reader: inout CBORReader) throws(CBORError) {
    switch reader.nextType {
    case .unsigned: self = .unsigned(try reader.readUnsigned())
    case .negative: self = .negative(UInt64(bitPattern: ~(try reader.readInteger())))
    case .bytes: self = .bytes(try reader.readBytes())
    case .text: self = .text(try reader.readText())
    case .array:
      var items: [CBORItem] = []
      let count = try reader.readArrayHead()
      for _ in 0..<count {
        items.append(try CBORItem(&reader))
      }
      self = .array(items)
    case .map:
      var pairs: [CBORPair] = []
      let count = try reader.readMapHead()
      for _ in 0..<count {
        pairs.append(CBORPair(try CBORItem(&reader), try CBORItem(&reader)))
      }
      self = .map(pairs)
    case .tag: self = .tag(try reader.readTag(), try CBORItem(&reader))
    case .simple:
      do throws(CBORError) {
        self = .bool(try reader.readBool())
      } catch {
        try reader.readNull()
        self = .null
      }
    case nil: throw CBORError(.truncated, at: reader.position)
    }
  }

  /// Reads bytes that are one item.
  init(_ bytes: [UInt8]) throws(CBORError) {
    var reader = try CBORReader(bytes)
    try self.init(&reader)
    guard reader.isAtEnd else { throw CBORError(.trailingBytes, at: reader.position) }
  }

  /// The item's bytes, by the public writer.
  var encoded: [UInt8] {
    var writer = CBORWriter()
    write(to: &writer)
    return writer.bytes
  }

  private func write(to writer: inout CBORWriter) {
    switch self {
    case .unsigned(let number): writer.write(number)
    case .negative(let number): writer.write(~Int64(bitPattern: number))
    case .bytes(let bytes): writer.write(bytes)
    case .text(let text): writer.write(text)
    case .array(let items):
      writer.beginArray(items.count)
      for item in items {
        item.write(to: &writer)
      }
    case .map(let pairs): writer.writeMap(sorting: pairs.map { ($0.key.encoded, $0.value.encoded) })
    case .tag(let number, let item):
      writer.tag(number)
      item.write(to: &writer)
    case .bool(let flag): writer.write(flag)
    case .null: writer.writeNull()
    }
  }

  /// A tree drawn at random, nested at most `depth` deep.
  static func random(depth: Int, _ dice: inout SplitMix64) -> CBORItem {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &dice) {
    case 0: return .unsigned(dice.next() >> UInt64.random(in: 0..<64, using: &dice))
    case 1: return .negative(dice.next() >> UInt64.random(in: 1..<64, using: &dice))
    case 2: return .bytes(dice.bytes(Int.random(in: 0...280, using: &dice) >> Int.random(in: 0...8, using: &dice)))
    case 3:
      let scalars = (0..<Int.random(in: 0...40, using: &dice)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...0x10ffff, using: &dice))
      }
      return .text(String(String.UnicodeScalarView(scalars)))
    case 4: return .bool(Bool.random(using: &dice))
    case 5: return .null
    case 6:
      return .array((0..<Int.random(in: 0...6, using: &dice)).map { _ in .random(depth: depth - 1, &dice) })
    case 7:
      var pairs: [[UInt8]: CBORPair] = [:]
      for _ in 0..<Int.random(in: 0...6, using: &dice) {
        let key = CBORItem.random(depth: 0, &dice)
        pairs[key.encoded] = CBORPair(key, .random(depth: depth - 1, &dice))
      }
      return .map(pairs.keys.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { pairs[$0] })
    default:
      // 2 and 3 are bignums, which have rules of their own.
      return .tag(UInt64.random(in: 4...70_000, using: &dice), .random(depth: depth - 1, &dice))
    }
  }
}

/// A key and its value.
struct CBORPair: Equatable, Sendable {
  let key: CBORItem
  let value: CBORItem

  init(_ key: CBORItem, _ value: CBORItem) {
    self.key = key
    self.value = value
  }
}
