extension [Finding] {
  /// All of it as JSON (RFC 8259), with every figure.
  func json(quick: Bool) -> String {
    let rows = map { finding in
      let bound =
        switch finding.other.bound {
        case .atMost(let most): "{\"atMost\": \(most)}"
        case .atLeast(let least): "{\"atLeast\": \(least)}"
        case .reported: "null"
        }
      let unit =
        switch finding.comparison.unit {
        case .time: "nanoseconds"
        case .memory: "bytes"
        case .ratio: "ratio"
        }
      return """
            {
              "what": \(Self.quoted(finding.comparison.what)),
              "against": \(Self.quoted(finding.other.what)),
              "unit": "\(unit)",
              "bound": \(bound),
              "median": \(finding.median),
              "holds": \(finding.holds.map { "\($0)" } ?? "null"),
              "ratios": \(finding.ratios),
              "ours": \(finding.ours),
              "theirs": \(finding.theirs)
            }
        """
    }
    return "{\n  \"quick\": \(quick),\n  \"rows\": [\n\(rows.joined(separator: ",\n"))\n  ]\n}\n"
  }

  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}
