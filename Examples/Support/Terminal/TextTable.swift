/// A table of text with aligned columns, for summaries and lists.
package struct TextTable: Sendable {
  /// Where a column's text stands.
  package enum Alignment: Sendable {
    /// At the left.
    case left
    /// At the right, as numbers do.
    case right
  }

  private let titles: [String]
  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// An empty table.
  package init(_ columns: [(title: String, alignment: Alignment)]) {
    titles = columns.map(\.title)
    alignments = columns.map(\.alignment)
  }

  /// An empty table whose columns are all aligned at the left.
  package init(_ titles: String...) {
    self.init(titles.map { ($0, .left) })
  }

  /// Adds a row.
  ///
  /// - Precondition: it has as many cells as there are columns.
  package mutating func add(_ cells: [String]) {
    precondition(cells.count == titles.count, "a row has a cell for each column")
    rows.append(cells.map(\.printable))
  }

  /// How many columns of a terminal the table needs so that nothing in it is cut.
  package var width: Int { widths.reduce(0, +) + gaps }

  private var widths: [Int] {
    titles.indices.map { column in ([titles] + rows).map { DisplayWidth.of($0[column]) }.max() ?? 0 }
  }

  private var gaps: Int { 2 * max(0, titles.count - 1) }

  /// The table's lines: titles, a rule, rows. The widest column is narrowed until a line fits into `width`.
  package func lines(width: Int? = nil, unicode: Bool = true) -> [String] {
    var widths = widths
    if let width {
      // No column is cut below its title or eight columns: then lines are wider, which is better than nothing to read.
      while widths.reduce(0, +) + gaps > width {
        let candidates = widths.indices.filter { widths[$0] > max(8, DisplayWidth.of(titles[$0])) }
        guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
        widths[widest] -= 1
      }
    }
    let rule = widths.map { String(repeating: unicode ? "─" : "-", count: $0) }.joined(separator: "  ")
    return [line(titles, widths, unicode), rule] + rows.map { line($0, widths, unicode) }
  }

  private func line(_ cells: [String], _ widths: [Int], _ unicode: Bool) -> String {
    var line = ""
    for (column, cell) in cells.enumerated() {
      let text = DisplayWidth.fitting(cell, into: widths[column], ellipsis: unicode ? "…" : "~")
      let space = String(repeating: " ", count: max(0, widths[column] - DisplayWidth.of(text)))
      line += (column > 0 ? "  " : "") + (alignments[column] == .left ? text + space : space + text)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
