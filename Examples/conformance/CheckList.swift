internal import ExampleSupport
internal import TransportConformance

/// The list of checks that `--list` asks for.
struct CheckList {
  let isJSON: Bool
  let checks: [ConformanceCheck]

  /// The checks that the command line chooses.
  init(_ values: CommandLineValues) throws(ExampleError) {
    isJSON = values[ConformanceCommand.json]
    checks = try values.choice(from: ConformanceSuite.checks + ConformanceSuite.peerChecks)
  }

  /// Writes it.
  func write() -> ExitStatus {
    let json = JSONLine()
    for check in checks {
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

extension CommandLineValues {
  /// What `--only` and `--skip` choose from some checks; there is at least one.
  func choice(from checks: [ConformanceCheck]) throws(ExampleError) -> [ConformanceCheck] {
    let chosen: [ConformanceCheck]
    do throws(ConformanceSelectionError) {
      chosen = try ConformanceSuite.choose(
        from: checks, only: self[ConformanceCommand.only], skipping: self[ConformanceCommand.skip])
    } catch {
      throw ExampleError(.usage, "\(error) --list shows them.")
    }
    guard !chosen.isEmpty else { throw ExampleError(.usage, "--skip leaves nothing of what --only chooses.") }
    return chosen
  }
}
