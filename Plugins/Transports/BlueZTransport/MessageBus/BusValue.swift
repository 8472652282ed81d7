/// A value of the message bus (D-Bus Specification, “Type System”). Descriptors are not among them: none is ever sent or
/// taken.
package indirect enum BusValue: Hashable, Sendable {
  case byte(UInt8)
  case bool(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case path(String)
  case signature(String)
  /// An array of bytes.
  case bytes([UInt8])
  /// An array of anything else, with the signature of its elements.
  case array(of: String, [BusValue])
  case structure([BusValue])
  /// One entry of a dictionary, which is an array of such.
  case entry(BusValue, BusValue)
  case variant(BusValue)

  /// Its type in the bus's own letters.
  package var signature: String {
    switch self {
    case .byte: "y"
    case .bool: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .path: "o"
    case .signature: "g"
    case .bytes: "ay"
    case .array(let element, _): "a" + element
    case .structure(let members): "(" + members.map(\.signature).joined() + ")"
    case .entry(let key, let value): "{" + key.signature + value.signature + "}"
    case .variant: "v"
    }
  }

  /// Names with values of any type: `a{sv}`.
  package static func properties(_ values: [String: BusValue]) -> BusValue {
    dictionary(of: "{sv}", values.sorted { $0.key < $1.key }.map { (.string($0.key), .variant($0.value)) })
  }

  /// A dictionary whose entries have the signature.
  package static func dictionary(of entry: String, _ entries: [(BusValue, BusValue)]) -> BusValue {
    .array(of: entry, entries.map { .entry($0.0, $0.1) })
  }
}

/// What a value is, where it is that; nil for every other, since whoever is at the other end can send anything.
extension BusValue {
  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  package var path: String? {
    if case .path(let value) = self { value } else { nil }
  }

  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  package var int16: Int16? {
    if case .int16(let value) = self { value } else { nil }
  }

  package var uint16: UInt16? {
    if case .uint16(let value) = self { value } else { nil }
  }

  package var bytes: [UInt8]? {
    if case .bytes(let value) = self { value } else { nil }
  }

  /// What is in a variant.
  package var content: BusValue? {
    if case .variant(let value) = self { value } else { nil }
  }

  /// The texts of an array of texts.
  package var strings: [String]? {
    guard case .array("s", let values) = self else { return nil }
    return values.compactMap(\.string)
  }

  /// The entries of a dictionary, in their order.
  package var entries: [(key: BusValue, value: BusValue)]? {
    guard case .array(let element, let values) = self, element.hasPrefix("{") else { return nil }
    return values.compactMap { value in
      if case .entry(let key, let value) = value { (key, value) } else { nil }
    }
  }

  /// Names with values of any type, out of their variants. Of a name that stands twice the first counts.
  package var properties: [String: BusValue]? {
    guard case .array("{sv}", _) = self, let entries else { return nil }
    var result: [String: BusValue] = [:]
    for (key, value) in entries {
      if let name = key.string, let content = value.content, result[name] == nil { result[name] = content }
    }
    return result
  }
}
