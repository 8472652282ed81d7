internal import Foundation

/// One line of JSON that a program wrote.
package struct ProcessEvent: Sendable, CustomStringConvertible {
  /// A value. Nothing deeper than one object is written by the programs.
  package enum Value: Hashable, Sendable, Decodable {
    case text(String)
    case number(Int64)
    case truth(Bool)
    case null

    package init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .truth(value)
      } else if let value = try? container.decode(Int64.self) {
        self = .number(value)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  /// The line as it was written.
  package let description: String
  /// The members.
  package let members: [String: Value]

  /// Reads a line; nil when it is not an object of plain values.
  package init?(_ line: String) {
    guard let members = try? JSONDecoder().decode([String: Value].self, from: Data(line.utf8)) else { return nil }
    self.members = members
    description = line
  }

  /// The event's name.
  package var name: String { self["event"] ?? "" }

  /// A text.
  package subscript(_ name: String) -> String? {
    if case .text(let text)? = members[name] { text } else { nil }
  }

  /// A number.
  package func number(_ name: String) -> Int64? {
    if case .number(let number)? = members[name] { number } else { nil }
  }

  /// A truth.
  package func truth(_ name: String) -> Bool? {
    if case .truth(let truth)? = members[name] { truth } else { nil }
  }
}
