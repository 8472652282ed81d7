/// Writes the fields of a payload, each with its limit.
package struct PayloadWriter {
  private var writer: CBORWriter

  /// Begins a payload of that type, which will have so many fields beside it.
  package init(type: UInt64, fields: Int, capacity: Int = 128) {
    writer = CBORWriter(capacity: capacity)
    writer.beginMap(fields + 1)
    field(0, type)
  }

  /// Begins a check-in message.
  init(_ type: MessageType, fields: Int, capacity: Int = 128) {
    self.init(type: type.rawValue, fields: fields, capacity: capacity)
  }

  /// What was written so far.
  package var bytes: [UInt8] { writer.bytes }

  package mutating func field(_ key: UInt64, _ number: UInt64) {
    writer.write(key)
    writer.write(number)
  }

  package mutating func field(_ key: UInt64, _ flag: Bool) {
    writer.write(key)
    writer.write(flag)
  }

  package mutating func field(_ key: UInt64, _ value: Bytes16) {
    writer.write(key)
    writer.write(value.bytes)
  }

  package mutating func field(_ key: UInt64, _ time: WallTime) {
    writer.write(key)
    writer.write(time.secondsSince1970)
  }

  package mutating func field(_ key: UInt64, _ pin: PIN) {
    var digits = pin.digits
    writer.write(key)
    writer.write(ascii: digits)
    SecretBytes.wipe(&digits)
  }

  package mutating func field(_ key: UInt64, seconds duration: Duration) throws(MessageError) {
    guard duration >= .zero else {
      throw MessageError(.invalidField, "The field \(key) of a message is a time below zero.")
    }
    let seconds = UInt64(duration.components.seconds)
    guard seconds <= MessageLimits.seconds else { throw PayloadWriter.tooLarge(key) }
    field(key, seconds)
  }

  package mutating func field(_ key: UInt64, _ bytes: [UInt8], limit: Int) throws(MessageError) {
    guard bytes.count <= limit else { throw PayloadWriter.tooLarge(key) }
    writer.write(key)
    writer.write(bytes)
  }

  package mutating func field(_ key: UInt64, _ text: String, limit: Int) throws(MessageError) {
    guard text.utf8.count <= limit else { throw PayloadWriter.tooLarge(key) }
    writer.write(key)
    writer.write(text)
  }

  package mutating func field(_ key: UInt64, _ numbers: [UInt64], limit: Int) throws(MessageError) {
    guard numbers.count <= limit else { throw PayloadWriter.tooLarge(key) }
    writer.write(key)
    writer.beginArray(numbers.count)
    for number in numbers {
      writer.write(number)
    }
  }

  package mutating func field(
    _ key: UInt64, _ texts: [String], limit: Int, textLimit: Int
  ) throws(MessageError) {
    guard texts.count <= limit, texts.allSatisfy({ $0.utf8.count <= textLimit }) else {
      throw PayloadWriter.tooLarge(key)
    }
    writer.write(key)
    writer.beginArray(texts.count)
    for text in texts {
      writer.write(text)
    }
  }

  private static func tooLarge(_ key: UInt64) -> MessageError {
    MessageError(.limitExceeded, "The field \(key) of a message is larger than allowed.")
  }
}
