extension ConformanceReport {
  /// The report as JUnit XML, which tools for continuous integration read. A requirement is a class, a check a case.
  /// What failed as expected is skipped, with a message that says so.
  public var junit: String {
    let failed = count(of: .failed) + count(of: .passedUnexpectedly)
    let skipped = count(of: .skipped) + count(of: .failedAsExpected)
    let time = results.reduce(Duration.zero) { $0 + $1.duration }
    let totals =
      "tests=\"\(results.count)\" failures=\"\(failed)\" errors=\"0\" skipped=\"\(skipped)\" time=\"\(time.inSeconds)\""
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites \(totals)>",
      "  <testsuite name=\"\(subject.xml)\" \(totals)>",
    ]
    for result in results { lines += testCase(result) }
    lines += ["  </testsuite>", "</testsuites>", ""]
    return lines.joined(separator: "\n")
  }

  private func testCase(_ result: ConformanceResult) -> [String] {
    let check = result.check
    let opening =
      "    <testcase classname=\"\(check.requirements.first?.id.xml ?? "")\" name=\"\(check.id.xml)\" "
      + "time=\"\(result.duration.inSeconds)\""
    let content: String
    switch verdict(of: result) {
    case .passed: return [opening + "/>"]
    case .skipped: content = "<skipped message=\"\((result.skipReason ?? "").xml)\"/>"
    case .failedAsExpected: content = "<skipped message=\"It failed, as expected.\"/>"
    case .passedUnexpectedly:
      content = "<failure message=\"It was expected to fail and has passed: take it off the list.\"/>"
    case .failed:
      let first = result.failures.first.map { "expected \($0.expected); \($0.happened)" } ?? ""
      content = "<failure message=\"\(first.xml)\">\(result.description.xml)</failure>"
    }
    return [opening + ">", "      " + content, "    </testcase>"]
  }
}

extension Duration {
  /// Seconds with three places.
  package var inSeconds: String {
    let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    let rest = String(milliseconds % 1_000)
    return "\(milliseconds / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }
}

extension String {
  /// The text in an attribute or element of XML 1.0. What cannot stand in one is replaced.
  fileprivate var xml: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "&#10;"
      case "\t": result += "&#9;"
      default:
        result.unicodeScalars.append(
          scalar.value < 0x20 || scalar.value == 0xfffe || scalar.value == 0xffff ? "\u{fffd}" : scalar)
      }
    }
    return result
  }
}
