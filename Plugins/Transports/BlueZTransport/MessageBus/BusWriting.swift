internal import CSystemd
internal import Glibc

/// Writes arguments into a message.
@safe
struct BusWriting {
  // Unsafe: a message that the caller holds for longer than this value lives.
  private let message: OpaquePointer

  init(_ message: OpaquePointer) {
    unsafe self.message = unsafe message
  }

  /// - Throws: ``BusError/unwritable(_:)`` for a text with a zero in it, a path that is none, and the like.
  func append(_ values: [BusValue]) throws(BusError) {
    for value in values { try append(value) }
  }

  private func append(_ value: BusValue) throws(BusError) {
    switch value {
    case .byte(let number): try append("y", number)
    case .bool(let isSo): try append("b", Int32(isSo ? 1 : 0))
    case .int16(let number): try append("n", number)
    case .uint16(let number): try append("q", number)
    case .int32(let number): try append("i", number)
    case .uint32(let number): try append("u", number)
    case .int64(let number): try append("x", number)
    case .uint64(let number): try append("t", number)
    case .double(let number): try append("d", number)
    case .string(let text): try append("s", text: text)
    case .path(let text): try append("o", text: text)
    case .signature(let text): try append("g", text: text)
    case .bytes(let bytes):
      // Unsafe: C copies the bytes during the call.
      try check(
        unsafe bytes.withUnsafeBytes { buffer in
          unsafe sd_bus_message_append_array(message, letter("y"), buffer.baseAddress, buffer.count)
        })
    case .array(let element, let values): try container("a", element, values)
    case .structure(let members): try container("r", members.map(\.signature).joined(), members)
    case .entry(let key, let value): try container("e", key.signature + value.signature, [key, value])
    case .variant(let content): try container("v", content.signature, [content])
    }
  }

  private func container(_ type: Unicode.Scalar, _ contents: String, _ values: [BusValue]) throws(BusError) {
    // Unsafe: C reads the text during the call.
    try check(unsafe sd_bus_message_open_container(message, letter(type), contents))
    try append(values)
    try check(unsafe sd_bus_message_close_container(message))
  }

  private func append<Value: BitwiseCopyable>(_ type: Unicode.Scalar, _ number: Value) throws(BusError) {
    // Unsafe: C reads a number of this type's size during the call (sd_bus_message_append_basic(3)).
    try check(
      unsafe withUnsafePointer(to: number) { pointer in
        unsafe sd_bus_message_append_basic(message, letter(type), pointer)
      })
  }

  private func append(_ type: Unicode.Scalar, text: String) throws(BusError) {
    guard !text.utf8.contains(0) else { throw .unwritable(EINVAL) }
    // Unsafe: C copies the text during the call.
    try check(
      unsafe text.withCString { pointer in
        unsafe sd_bus_message_append_basic(message, letter(type), pointer)
      })
  }

  private func letter(_ scalar: Unicode.Scalar) -> CChar {
    CChar(scalar.value)
  }

  private func check(_ result: Int32) throws(BusError) {
    guard result >= 0 else { throw .unwritable(-result) }
  }
}
