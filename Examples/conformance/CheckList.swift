internal import ExampleSupport
internal import TransportConformance

/// The list of checks that `--list` asks for.
struct CheckList {
  let isJSON: Bool

  /// Writes it.
  func write() -> ExitStatus {
    let json = JSONLine()
    for check in ConformanceSuite.checks + ConformanceSuite.peerChecks {
      let takesTwo = check.needs.contains(.peer)
      if isJSON {
        json.write(
          [
            "id": .string(check.id), "title": .string(check.title),
            "requirements": .string(check.requirements.map(\.id).joined(separator: " ")),
            "needs": .string(check.needs.map(\.text).joined(separator: "; ")),
          ])
      } else {
        let numbers = check.requirements.map(\.id).joined(separator: " ")
        LineOutput.standardOutput.writeLine("\(check.id)  [\(numbers)]\(takesTwo ? "  (two processes)" : "")")
        LineOutput.standardOutput.writeLine("    \(check.title)")
        for need in check.needs where need != .peer { LineOutput.standardOutput.writeLine("    needs \(need.text)") }
      }
    }
    return .success
  }
}
