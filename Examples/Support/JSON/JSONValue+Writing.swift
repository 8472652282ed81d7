extension JSONValue {
  /// The value on one line, without a line break.
  ///
  /// Besides what RFC 8259 §7 asks for, DEL, the C1 controls, line separators and direction marks are escaped, so that
  /// a line that is printed on a terminal does nothing to it.
  package var text: String {
    var output: [UInt8] = []
    write(to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  private func write(to output: inout [UInt8]) {
    switch self {
    case .null: output += "null".utf8
    case .bool(let value): output += (value ? "true" : "false").utf8
    case .integer(let number): output += "\(number)".utf8
    case .string(let text): Self.write(text, to: &output)
    case .array(let items):
      output.append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        item.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        Self.write(member.name, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22: output += #"\""#.utf8
      case 0x5c: output += #"\\"#.utf8
      case 0x08: output += #"\b"#.utf8
      case 0x09: output += #"\t"#.utf8
      case 0x0a: output += #"\n"#.utf8
      case 0x0c: output += #"\f"#.utf8
      case 0x0d: output += #"\r"#.utf8
      case 0..<0x20, 0x7f...0x9f, 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff:
        let digits = String(scalar.value, radix: 16)
        output += (#"\u"# + String(repeating: "0", count: 4 - digits.count) + digits).utf8
      default: output += String(scalar).utf8
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}
