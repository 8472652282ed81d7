internal import CheckIn
internal import ExampleSupport
internal import TransportConformance

/// One run of some checks, from the first to the verdict.
struct TestRun {
  let values: CommandLineValues
  let subject: ConformanceSubject
  let name: String
  let checks: [ConformanceCheck]

  /// Runs them, and answers what to tell the shell.
  func run() async throws(ExampleError) -> ExitStatus {
    guard !checks.isEmpty else { throw ExampleError(.usage, "--skip leaves nothing of what --only chooses.") }
    let expected = try expectedFailures()
    let capabilities = subject.transport.capabilities.names
    let output = ResultOutput(values, count: checks.count)
    output.begin(name, capabilities: capabilities, count: checks.count)
    func report(_ results: [ConformanceResult], _ speed: ConformanceSpeed? = nil) -> ConformanceReport {
      ConformanceReport(
        subject: name, capabilities: capabilities, results: results, expectedFailures: expected, speed: speed)
    }
    let results = await ConformanceSuite.run(checks, on: subject) { result in
      output.write(result, verdict: report([]).verdict(of: result))
    }
    let speed = subject.peer == nil ? await ConformanceSpeed.measured(on: subject) : nil
    return try output.end(report(results, speed))
  }

  private func expectedFailures() throws(ExampleError) -> ExpectedFailures {
    guard let path = values[ConformanceCommand.expectedFailures] else { return ExpectedFailures() }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileReading.read(path, what: "list of expected failures")
    } catch {
      throw ExampleError(error)
    }
    do throws(ConformanceSelectionError) {
      return try ExpectedFailures(text: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw ExampleError(.badData, "The list of expected failures \(path) cannot be used: \(error)")
    }
  }
}
