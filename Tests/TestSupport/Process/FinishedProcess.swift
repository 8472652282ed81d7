/// What a program left behind that has ended.
package struct FinishedProcess: Sendable {
  /// How it ended.
  package let exit: ProcessExit
  /// Its standard output.
  package let output: String
  /// Its standard error.
  package let errors: String
  /// The lines of JSON of its standard output.
  package let events: [ProcessEvent]

  /// The lines of JSON with this name.
  package func events(_ name: String) -> [ProcessEvent] { events.filter { $0.name == name } }
}

extension ChildProcess {
  /// What it has left behind, once it has ended.
  package func finished(atMost time: Duration = .seconds(60)) async throws -> FinishedProcess {
    let exit = try await exit(atMost: time)
    return FinishedProcess(exit: exit, output: outputText, errors: errorText, events: events)
  }

  /// Runs a program to its end. Its input is at its end from the start.
  package static func finish(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    atMost time: Duration = .seconds(60)
  ) async throws -> FinishedProcess {
    try await run(program, arguments, environment: environment, input: .null) { child in
      try await child.finished(atMost: time)
    }
  }
}
