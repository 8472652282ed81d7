/// The checks that are known to fail, for a transport that is on its way.
///
/// As text: one check id a line; what follows a `#` is a remark, and should say why. A check of the list that passes is
/// a surprise too: it is to be taken off the list, so that it cannot fail again unnoticed.
public struct ExpectedFailures: Hashable, Sendable {
  /// A line of the text that is no check.
  public struct LineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the line, from 1.
    public let line: Int
    /// What stands there.
    public let text: String

    /// An error about that line.
    public init(line: Int, text: String) {
      self.line = line
      self.text = text
    }

    /// What is wrong, and what to write.
    public var description: String {
      let example = ConformanceSuite.checks.first { $0.requirements.contains { $0.id == text } }?.id
      return "line \(line): “\(text)” is no check. Write the id of one check on each line, such as "
        + "\(example ?? "C7-last-bytes"); behind # stands a remark."
    }
  }

  /// The ids.
  public var ids: Set<String>

  /// A list.
  public init(ids: Set<String> = []) {
    self.ids = ids
  }

  /// Reads the text of a list.
  ///
  /// - Throws: ``LineError`` for an id that no check has.
  public init(text: String) throws(LineError) {
    var ids: Set<String> = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let words = (line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).first ?? "")
        .split(whereSeparator: \.isWhitespace)
      guard let id = words.first else { continue }
      guard words.count == 1, (ConformanceSuite.checks + ConformanceSuite.peerChecks).contains(where: { $0.id == id })
      else {
        throw LineError(line: index + 1, text: words.joined(separator: " "))
      }
      ids.insert(String(id))
    }
    self.ids = ids
  }
}
