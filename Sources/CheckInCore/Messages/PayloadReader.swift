/// Reads the fields of a payload, each with its limit, and says in words which one is wrong.
package struct PayloadReader {
  private var reader: CBORReader
  private var pairsLeft: Int
  private var key: Int64 = 0

  /// Begins to read a payload.
  package init(_ payload: [UInt8]) throws(MessageError) {
    do throws(CBORError) {
      reader = try CBORReader(payload)
      pairsLeft = try reader.readMapHead()
    } catch {
      throw MessageError(.malformed, "The payload of a message is not as it must be: \(error.message).")
    }
  }

  /// The key of the next field; its value is read next, or passed over. Nil: there is none left.
  package mutating func nextKey() throws(MessageError) -> Int64? {
    guard pairsLeft > 0 else { return nil }
    pairsLeft -= 1
    do throws(CBORError) {
      key = try reader.readInteger()
    } catch {
      throw MessageError(.malformed, "A key in a message is not a number: \(error.message).")
    }
    return key
  }

  /// Passes over a field that this version does not know, unless it must be understood.
  package mutating func ignore() throws(MessageError) {
    guard key >= 0 else {
      throw MessageError(.unknownCriticalKey, "A message has the key \(key), which must be understood, and is not.")
    }
    try read { (reader) throws(CBORError) in try reader.skip() }
  }

  package mutating func unsigned(limit: UInt64 = .max) throws(MessageError) -> UInt64 {
    let number = try read { (reader) throws(CBORError) in try reader.readUnsigned() }
    guard number <= limit else { throw tooLarge }
    return number
  }

  package mutating func bool() throws(MessageError) -> Bool {
    try read { (reader) throws(CBORError) in try reader.readBool() }
  }

  package mutating func bytes(limit: Int) throws(MessageError) -> [UInt8] {
    try read { (reader) throws(CBORError) in try reader.readBytes(limit: limit) }
  }

  package mutating func bytes16() throws(MessageError) -> Bytes16 {
    let value = try read { (reader) throws(CBORError) in try reader.readBytes(limit: 16) { Bytes16($0) } }
    guard let value else { throw invalid }
    return value
  }

  package mutating func text(limit: Int) throws(MessageError) -> String {
    try read { (reader) throws(CBORError) in try reader.readText(limit: limit) }
  }

  package mutating func pin() throws(MessageError) -> PIN {
    var digits = try read { (reader) throws(CBORError) in try reader.readTextBytes(limit: PIN.length) }
    defer { SecretBytes.wipe(&digits) }
    guard let pin = PIN(digits) else { throw invalid }
    return pin
  }

  package mutating func time() throws(MessageError) -> WallTime {
    WallTime(secondsSince1970: try read { (reader) throws(CBORError) in try reader.readInteger() })
  }

  package mutating func seconds() throws(MessageError) -> Duration {
    .seconds(try unsigned(limit: MessageLimits.seconds))
  }

  /// The head of an array; so many values are read next.
  package mutating func arrayHead(limit: Int) throws(MessageError) -> Int {
    try read { (reader) throws(CBORError) in try reader.readArrayHead(limit: limit) }
  }

  /// The error for a value that is of the right type and not allowed.
  package var invalid: MessageError {
    MessageError(.invalidField, "The field \(key) of a message has a value that is not allowed.")
  }

  private var tooLarge: MessageError {
    MessageError(.limitExceeded, "The field \(key) of a message is larger than allowed.")
  }

  private mutating func read<Value>(
    _ body: (inout CBORReader) throws(CBORError) -> Value
  ) throws(MessageError) -> Value {
    do throws(CBORError) {
      return try body(&reader)
    } catch {
      guard error.code != .tooLong else { throw tooLarge }
      throw MessageError(.invalidField, "The field \(key) of a message is not as it must be: \(error.message).")
    }
  }
}
