/// The checks that are known to fail, for a transport that is on its way.
///
/// As text: one check id a line; what follows a `#` is a remark, and should say why. A check of the list that passes is
/// a surprise too: it is to be taken off the list, so that it cannot fail again unnoticed.
public struct ExpectedFailures: Hashable, Sendable {
  /// The ids.
  public var ids: Set<String>

  /// A list.
  public init(ids: Set<String> = []) {
    self.ids = ids
  }

  /// Reads the text of a list.
  ///
  /// - Throws: ``ConformanceSelectionError`` for an id that no check has.
  public init(text: String) throws(ConformanceSelectionError) {
    var ids: Set<String> = []
    for line in text.split(whereSeparator: \.isNewline) {
      let words = (line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).first ?? "")
        .split(whereSeparator: \.isWhitespace)
      guard let id = words.first else { continue }
      guard words.count == 1, (ConformanceSuite.checks + ConformanceSuite.peerChecks).contains(where: { $0.id == id })
      else {
        throw ConformanceSelectionError(name: words.joined(separator: " "))
      }
      ids.insert(String(id))
    }
    self.ids = ids
  }
}
