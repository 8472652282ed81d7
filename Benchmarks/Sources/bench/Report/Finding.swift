/// What was found of one row: the ratio of each pair, in the order of the runs.
struct Finding {
  let comparison: Comparison
  let other: Comparison.Other
  /// Our figures, and the other's beside each; empty where there is no other.
  let ours: [Double]
  let theirs: [Double]

  /// The ratio of each pair.
  var ratios: [Double] {
    switch comparison.kind {
    case .time: zip(ours, theirs).map { $0 / $1 }
    case .speed: zip(ours, theirs).map { $1 / $0 }
    case .figure: ours
    }
  }

  var median: Double { ratios.median }
  var holds: Bool? { other.bound.holds(for: median) }

  /// The lines of one comparison: what it is, and a row for each other.
  static func lines(_ findings: [Finding]) -> String {
    let first = findings.first.map { finding in
      let figure = finding.comparison.kind == .figure ? "" : " (\(finding.comparison.unit.text(finding.ours.median)))"
      return finding.comparison.what + figure
    }
    return ([first ?? ""] + findings.map(\.line)).joined(separator: "\n")
  }

  private var line: String {
    let unit: Unit = comparison.kind == .figure ? comparison.unit : .ratio
    let bound =
      switch other.bound {
      case .atMost(let most): "≤ \(unit.text(most))"
      case .atLeast(let least): "≥ \(unit.text(least))"
      case .reported: "–"
      }
    let verdict = holds.map { $0 ? "held" : "MISSED" } ?? "–"
    let spread = "\(unit.text(ratios.min() ?? 0)) – \(unit.text(ratios.max() ?? 0))"
    return Self.columns(["  " + other.what, bound, unit.text(median), spread, verdict])
  }

  static let heading = columns(["what (our figure), against what", "bound", "median", "least – most", ""])

  private static func columns(_ texts: [String]) -> String {
    let widths = [32, 10, 9, 19, 6]
    var line = zip(texts, widths).map { text, width in
      text + String(repeating: " ", count: max(0, width - text.count))
    }.joined(separator: " ")
    while line.last == " " { line.removeLast() }
    return line
  }
}

extension [Double] {
  /// The one in the middle; the mean of two where the number is even.
  var median: Double {
    let sorted = sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
