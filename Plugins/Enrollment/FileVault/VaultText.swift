/// The small files of a vault: lines of `name: value`, in ASCII.
struct VaultText {
  private var lines: [(name: String, value: String)] = []

  init(_ lines: [(name: String, value: String)]) {
    self.lines = lines
  }

  /// Reads a file's content; nil when it is none.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= 4096, bytes.allSatisfy({ $0 < 128 }) else { return nil }
    for line in bytes.split(separator: 10) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line.dropFirst(colon - line.startIndex).count >= 2
      else {
        return nil
      }
      lines.append(
        (
          String(decoding: line[..<colon], as: UTF8.self),
          String(decoding: line[(colon + 1)...].drop { $0 == 32 }, as: UTF8.self)
        ))
    }
  }

  subscript(name: String) -> String? { lines.first { $0.name == name }?.value }

  var bytes: [UInt8] { lines.flatMap { Array("\($0.name): \($0.value)\n".utf8) } }
}
