internal import ExampleSupport
internal import TransportConformance

/// How many checks of each requirement passed, failed and were skipped.
struct ResultTable {
  private struct Row {
    let id: String
    let passed: Int
    let failed: Int
    let skipped: Int
    let time: Duration
  }

  private let rows: [Row]

  /// The table of a report. A check is counted for the requirement that it tests first of all.
  init(_ report: ConformanceReport) {
    rows = Requirement.all.compactMap { requirement in
      let results = report.results.filter { $0.check.requirements.first == requirement }
      guard !results.isEmpty else { return nil }
      let failed = results.count { !$0.failures.isEmpty }
      let skipped = results.count { $0.skipReason != nil }
      return Row(
        id: requirement.id, passed: results.count - failed - skipped, failed: failed, skipped: skipped,
        time: results.reduce(Duration.zero) { $0 + $1.duration })
    }
  }

  /// Its lines. Where they would be wider than a terminal they have shorter titles, and then fewer columns.
  func lines(width: Int?, unicode: Bool) -> [String] {
    let long = ["requirement", "passed", "failed", "skipped", "time"]
    let short = ["", "pass", "fail", "skip", "time"]
    for titles in [long, short, Array(short.prefix(3))] {
      let lines = lines(titles, unicode)
      if lines.allSatisfy({ DisplayWidth.of($0) <= width ?? .max }) || titles.count == 3 { return lines }
    }
    return []
  }

  private func lines(_ titles: [String], _ unicode: Bool) -> [String] {
    var table = TextTable(titles.enumerated().map { ($1, $0 == 0 ? .left : .right) })
    for row in rows {
      let cells = [
        row.id, "\(row.passed)", row.failed > 0 ? "\(row.failed)" : "", row.skipped > 0 ? "\(row.skipped)" : "",
        "\(row.time.inSeconds) s",
      ]
      table.add(Array(cells.prefix(titles.count)))
    }
    return table.lines(unicode: unicode)
  }
}
