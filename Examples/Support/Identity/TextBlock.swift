package import CheckInCore

/// One block of a text file that a person can look at and copy, in the form of RFC 7468:
/// `-----BEGIN LABEL-----`, lines of base64, `-----END LABEL-----`. What stands outside of blocks is for people.
package struct TextBlock: Sendable {
  /// The label.
  package let label: String
  /// The content. It may be a secret.
  package let content: SecretBytes

  /// A block.
  package init(_ label: String, _ content: SecretBytes) {
    self.label = label
    self.content = content
  }

  /// What is wrong with a file of blocks: the end of a sentence.
  package struct Fault: Error, Hashable, Sendable {
    /// The end of the sentence, without its full stop.
    package let message: String

    /// A fault.
    package init(_ message: String) {
      self.message = message
    }
  }

  /// The blocks of a file, in order.
  ///
  /// - Throws: ``Fault`` when there is none, or one has no end or is not base64.
  package static func read(_ bytes: [UInt8]) throws(Fault) -> [TextBlock] {
    var blocks: [TextBlock] = []
    var open: (label: String, line: Int)?
    var body: [UInt8] = []
    defer { SecretBytes.wipe(&body) }
    for (index, line) in bytes.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
      let line = trimmed(line)
      if let label = marker("BEGIN", line) {
        if let open { throw Fault("the block “\(open.label)” of line \(open.line) has no end") }
        open = (label, index + 1)
      } else if let label = marker("END", line) {
        guard let begun = open, begun.label == label else {
          throw Fault("line \(index + 1) ends a block “\(label)” that was not begun")
        }
        guard let content = Base64Text.decode(body) else {
          throw Fault("the block “\(label)” of line \(begun.line) is damaged: it is not base64")
        }
        blocks.append(TextBlock(label, SecretBytes(content)))
        open = nil
        SecretBytes.wipe(&body)
      } else if open != nil {
        body += line
      }
    }
    if let open {
      throw Fault("it is cut off: the block “\(open.label)” of line \(open.line) has no end")
    }
    guard !bytes.isEmpty else { throw Fault("it is empty") }
    guard !blocks.isEmpty else { throw Fault("there is no line “-----BEGIN …-----” in it") }
    return blocks
  }

  /// The block as text, with a line break at the end. The caller wipes it when the content is a secret.
  package var text: [UInt8] {
    var bytes = Array("-----BEGIN \(label)-----\n".utf8)
    var body = Base64Text.encode(content.bytes)
    defer { SecretBytes.wipe(&body) }
    var rest = body[...]
    while !rest.isEmpty {
      bytes += rest.prefix(64)
      bytes.append(0x0a)
      rest = rest.dropFirst(64)
    }
    return bytes + Array("-----END \(label)-----\n".utf8)
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line
    while let last = line.last, last == 0x0d || last == 0x20 || last == 0x09 { line.removeLast() }
    while let first = line.first, first == 0x20 || first == 0x09 { line.removeFirst() }
    return line
  }

  private static func marker(_ word: String, _ line: ArraySlice<UInt8>) -> String? {
    let (start, end) = (Array("-----\(word) ".utf8), Array("-----".utf8))
    guard line.count > start.count + end.count, line.count < 100, line.starts(with: start),
      line.suffix(end.count).elementsEqual(end)
    else { return nil }
    return String(decoding: line.dropFirst(start.count).dropLast(end.count), as: UTF8.self).printable
  }
}

extension [TextBlock] {
  /// The content of the one block with this label.
  ///
  /// - Parameter what: what the file should be, such as “a ticket file”.
  func only(_ label: String, what: String) throws(TextBlock.Fault) -> SecretBytes {
    let found = filter { $0.label == label }
    guard let first = found.first else {
      let labels = map { "“\($0.label)”" }.joined(separator: ", ")
      throw TextBlock.Fault("it is not \(what): it holds \(labels) and no “\(label)”")
    }
    guard found.count == 1 else { throw TextBlock.Fault("the block “\(label)” stands in it more than once") }
    return first.content
  }
}
