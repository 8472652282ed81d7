internal import CheckInCore
internal import ExampleSupport
internal import OpenSSLCryptography

/// Identifiers of attendees, kiosks and events: short, and good as file names everywhere.
enum Identifier {
  /// The longest one.
  static let limit = 64

  /// What is wrong with it; nil: nothing.
  static func fault(_ text: String) -> String? {
    let isKnown = text.utf8.allSatisfy {
      (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || [45, 46, 95].contains($0)
    }
    guard !text.isEmpty else { return "it is empty" }
    guard text.utf8.count <= limit else { return "it is longer than \(limit) characters" }
    guard isKnown else { return "an identifier is made of the letters A–Z and a–z, digits, “-”, “_” and “.”" }
    guard let first = text.first, first != ".", first != "-" else {
      return "an identifier begins with a letter, a digit or “_”"
    }
    return nil
  }

  /// An identifier on the command line.
  static var format: CommandLineFormat<String> {
    CommandLineFormat("ID") { text in
      fault(text).map { .failure(CommandLineValueFault($0)) } ?? .success(text)
    }
  }

  /// How identifiers are compared: there are file systems for which A and a are one.
  static func folded(_ id: String) -> String {
    id.lowercased()
  }

  /// An identifier that is made from a name, such as `ada-lovelace`, or a random one where the name has other letters than A to Z;
  /// with a number behind it when `isTaken` says so.
  static func make(from name: String, prefix: String, isTaken: (String) -> Bool) -> String {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
    let isPlain = words.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
    let base = isPlain ? String(words.joined(separator: "-").prefix(limit - 8)) : ""
    guard !base.isEmpty else {
      while true {
        let id = "\(prefix)-\(hexadecimal(OpenSSLCryptography().randomBytes(6)))"
        if !isTaken(id) { return id }
      }
    }
    var id = base
    var number = 2
    while isTaken(id) {
      id = "\(base)-\(number)"
      number += 1
    }
    return id
  }
}
