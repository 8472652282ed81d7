internal import CSystemd

/// Reads the arguments of a message. What it gives are copies.
///
/// sd-bus has checked lengths, texts and the nesting of types beforehand; here is bounded what they cost as values.
@safe
struct BusReading: ~Copyable {
  /// The deepest nesting. What is of use has seven: a dictionary of dictionaries of dictionaries of variants.
  private static let deepest = 16
  /// The most values of one message: some thousand devices with all that is known of them.
  private static let mostValues = 262_144

  // Unsafe: a message that the caller holds for longer than this value lives.
  private let message: OpaquePointer
  private var values = 0

  init(_ message: OpaquePointer) {
    unsafe self.message = unsafe message
  }

  /// All arguments.
  mutating func all() throws(BusError) -> [BusValue] {
    var result: [BusValue] = []
    while let value = try next(0) { result.append(value) }
    return result
  }

  /// The next value of the message or of the container that was entered; nil at its end.
  private mutating func next(_ depth: Int) throws(BusError) -> BusValue? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    // Unsafe: C fills both; the text is the message's own, and copied before the next call.
    let found = unsafe sd_bus_message_peek_type(message, &type, &contents)
    guard found >= 0 else { throw .unreadable }
    guard found > 0 else { return nil }
    values += 1
    guard values <= Self.mostValues, depth < Self.deepest else { throw .unreadable }
    let inner = unsafe contents.map { unsafe String(cString: $0) } ?? ""
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "a") where inner == "y": return .bytes(try byteArray())
    case UInt8(ascii: "a"):
      return .array(of: inner, try members(type, inner, depth))
    case UInt8(ascii: "r"):
      return .structure(try members(type, inner, depth))
    case UInt8(ascii: "e"):
      let pair = try members(type, inner, depth)
      guard pair.count == 2 else { throw .unreadable }
      return .entry(pair[0], pair[1])
    case UInt8(ascii: "v"):
      let content = try members(type, inner, depth)
      guard content.count == 1 else { throw .unreadable }
      return .variant(content[0])
    default: return try basic(type)
    }
  }

  private mutating func members(_ type: CChar, _ contents: String, _ depth: Int) throws(BusError) -> [BusValue] {
    // Unsafe: C reads the text during the call.
    guard unsafe sd_bus_message_enter_container(message, type, contents) > 0 else { throw .unreadable }
    var members: [BusValue] = []
    while let member = try next(depth + 1) { members.append(member) }
    guard unsafe sd_bus_message_exit_container(message) >= 0 else { throw .unreadable }
    return members
  }

  private func byteArray() throws(BusError) -> [UInt8] {
    var start: UnsafeRawPointer?
    var count = 0
    // Unsafe: C points at its own bytes, as many as it says, which are copied at once.
    guard unsafe sd_bus_message_read_array(message, CChar(UInt8(ascii: "y")), &start, &count) >= 0 else {
      throw .unreadable
    }
    guard let start = unsafe start, count > 0 else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  private func basic(_ type: CChar) throws(BusError) -> BusValue {
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "y"): return .byte(try number(type, 0))
    case UInt8(ascii: "b"): return .bool(try number(type, Int32(0)) != 0)
    case UInt8(ascii: "n"): return .int16(try number(type, 0))
    case UInt8(ascii: "q"): return .uint16(try number(type, 0))
    case UInt8(ascii: "i"): return .int32(try number(type, 0))
    case UInt8(ascii: "u"): return .uint32(try number(type, 0))
    case UInt8(ascii: "x"): return .int64(try number(type, 0))
    case UInt8(ascii: "t"): return .uint64(try number(type, 0))
    case UInt8(ascii: "d"): return .double(try number(type, 0))
    case UInt8(ascii: "s"): return .string(try text(type))
    case UInt8(ascii: "o"): return .path(try text(type))
    case UInt8(ascii: "g"): return .signature(try text(type))
    default: throw .unreadable
    }
  }

  private func number<Value: BitwiseCopyable>(_ type: CChar, _ zero: Value) throws(BusError) -> Value {
    var value = zero
    // Unsafe: C writes a number of this type's size (sd_bus_message_read_basic(3)).
    guard unsafe sd_bus_message_read_basic(message, type, &value) > 0 else { throw .unreadable }
    return value
  }

  private func text(_ type: CChar) throws(BusError) -> String {
    var start: UnsafePointer<CChar>?
    // Unsafe: C points at a text of its own, which is copied at once.
    guard unsafe sd_bus_message_read_basic(message, type, &start) > 0, let start = unsafe start else {
      throw .unreadable
    }
    return unsafe String(cString: start)
  }
}
