internal import ExampleSupport
internal import Glibc
internal import TransportConformance

/// Says what the checks found: a progress line and a table for people, or JSON lines.
final class ResultOutput: Sendable {
  private let values: CommandLineValues
  private let isJSON: Bool
  private let capabilities = TerminalCapabilities.of(STDOUT_FILENO)
  private let json = JSONLine()
  private let out = LineOutput.standardOutput
  private let progress: ProgressLine

  init(_ values: CommandLineValues, count: Int) {
    self.values = values
    isJSON = values[ConformanceCommand.json]
    progress = ProgressLine("checks", total: count)
  }

  /// Before the first check.
  func begin(_ subject: String, capabilities: [String], count: Int) {
    if isJSON {
      json.write(
        event: "begin",
        [
          JSONMember("transport", .string(subject)), JSONMember("checks", .integer(Int64(count))),
          JSONMember("capabilities", .string(capabilities.joined(separator: " "))),
        ])
    } else {
      let list = capabilities.isEmpty ? "no more than it must" : capabilities.joined(separator: ", ")
      write("\(subject): \(count) \(count == 1 ? "check" : "checks"); it declares \(list)", hanging: 2)
    }
  }

  /// After a check.
  func write(_ result: ConformanceResult, verdict: ConformanceReport.Verdict) {
    progress.advance()
    guard isJSON else { return }
    var members = [
      JSONMember("id", .string(result.check.id)), JSONMember("verdict", .string(verdict.rawValue)),
      JSONMember("milliseconds", .integer(result.duration.milliseconds)),
      JSONMember("requirements", .string(result.check.requirements.map(\.id).joined(separator: " "))),
    ]
    if let reason = result.skipReason { members.append(JSONMember("reason", .string(reason))) }
    json.write(event: "check", members)
    for failure in result.failures {
      json.write(
        event: "failure",
        [
          JSONMember("id", .string(result.check.id)), JSONMember("title", .string(result.check.title)),
          JSONMember("expected", .string(failure.expected)), JSONMember("happened", .string(failure.happened)),
          JSONMember("place", .string(failure.place)),
          JSONMember(
            "requirement_texts", .string(result.check.requirements.map(\.description).joined(separator: "\n"))),
        ])
    }
  }

  /// Something to know at once, while checks run.
  func notice(_ text: String) {
    progress.interrupt(with: "conformance: \(text)")
  }

  /// At the end: the table, the failures and the verdict; and the files that were asked for.
  func end(_ report: ConformanceReport) throws(ExampleError) -> ExitStatus {
    progress.finish()
    if isJSON { writeJSON(report) } else { writeText(report) }
    try ResultFiles(values).write(report)
    return report.isGood ? .success : .refused
  }

  private func writeJSON(_ report: ConformanceReport) {
    var members = [
      JSONMember("good", .bool(report.isGood)), JSONMember("summary", .string(report.summary)),
      JSONMember("passed", .integer(Int64(report.count(of: .passed)))),
      JSONMember("failed", .integer(Int64(report.count(of: .failed)))),
      JSONMember("failed_as_expected", .integer(Int64(report.count(of: .failedAsExpected)))),
      JSONMember("passed_unexpectedly", .integer(Int64(report.count(of: .passedUnexpectedly)))),
      JSONMember("skipped", .integer(Int64(report.count(of: .skipped)))),
    ]
    if report.isStopped { members.append(JSONMember("stopped", .string(report.stopSentence))) }
    if !report.expectedAndNotRun.isEmpty {
      members.append(JSONMember("expected_and_not_run", .string(report.expectedAndNotRun.joined(separator: " "))))
    }
    if let speed = report.speed {
      members.append(JSONMember("round_trips_per_second", .integer(Int64(speed.roundTripsPerSecond))))
      members.append(JSONMember("bytes_per_second", .integer(Int64(speed.bytesPerSecond))))
    }
    json.write(event: "end", members)
  }

  private func writeText(_ report: ConformanceReport) {
    let table = ResultTable(report).lines(
      width: capabilities.isTerminal ? width : nil, unicode: capabilities.hasUnicode)
    for line in table { out.writeLine(line) }
    for result in report.results where report.verdict(of: result) == .skipped {
      write(result.skipReason ?? "", hanging: 2)
    }
    for result in report.results { writeText(result, report.verdict(of: result)) }
    for id in report.expectedAndNotRun {
      write("\(id) is on the list of expected failures, and was not run.", hanging: 2)
    }
    if let speed = report.speed {
      write(
        "\(Int(speed.roundTripsPerSecond)) round trips and \(Int(speed.bytesPerSecond / 1_000_000)) MB a second, on one connection"
      )
    }
    let style = TerminalStyle(report.isGood ? .green : .red, bold: true)
    write("\(report.subject): \(report.summary)", hanging: 2, style: style)
  }

  private func writeText(_ result: ConformanceResult, _ verdict: ConformanceReport.Verdict) {
    guard [.failed, .failedAsExpected, .passedUnexpectedly].contains(verdict) else { return }
    out.writeLine("")
    write("\(result.check.id): \(verdict.rawValue)", hanging: 2, style: .bold)
    write(result.check.title, indent: 2)
    for failure in result.failures {
      write("expected: \(failure.expected)", indent: 2, hanging: 2)
      write("happened: \(failure.happened) (\(failure.place))", indent: 2, hanging: 2)
    }
    for requirement in result.check.requirements { write("\(requirement)", indent: 2, hanging: 2) }
  }

  /// A paragraph: in lines as wide as the terminal, in one line elsewhere, where it may be searched.
  private func write(_ text: String, indent: Int = 0, hanging: Int = 0, style: TerminalStyle? = nil) {
    let width = capabilities.isTerminal ? width : Int.max
    for line in TextWrap.lines(text, width: width, indent: indent, hanging: hanging) {
      if let style {
        out.writeLine(line, style: style, colour: capabilities.hasColour)
      } else {
        out.writeLine(line)
      }
    }
  }

  private var width: Int { TerminalScreen.textWidth(of: STDOUT_FILENO) }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}
