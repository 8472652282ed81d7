/// A JSON value (RFC 8259) whose objects keep their order. Numbers are whole, as everything here is.
package indirect enum JSONValue: Hashable, Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object; its members are written in this order.
  case object([JSONMember])

  /// A string from bytes; what is not UTF-8 becomes U+FFFD.
  package static func text(_ bytes: [UInt8]) -> JSONValue {
    .string(String(decoding: bytes, as: UTF8.self))
  }

  /// A string, or null.
  package static func optional(_ text: String?) -> JSONValue {
    text.map { .string($0) } ?? .null
  }
}

/// One `"name": value` of an object.
package struct JSONMember: Hashable, Sendable {
  /// The name.
  package let name: String
  /// The value.
  package let value: JSONValue

  /// A member.
  package init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { JSONMember($0.0, $0.1) })
  }
}
