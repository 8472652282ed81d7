internal import CheckIn
internal import ExampleSupport
internal import TransportConformance

/// One run of some checks, from the first to the verdict.
struct TestRun {
  /// Why a run stops before its last check.
  enum Stop {
    /// Somebody asked for it.
    case signal(ProcessSignal)
    /// The other process serves no more.
    case peerIsGone
  }

  private let values: CommandLineValues
  private let subject: ConformanceSubject
  private let name: String
  private let checks: [ConformanceCheck]
  private let expected: ExpectedFailures

  /// A run. The files that it reads and writes are tried here, before any check.
  init(
    values: CommandLineValues, subject: ConformanceSubject, name: String, checks: [ConformanceCheck]
  ) throws(ExampleError) {
    self.values = values
    self.subject = subject
    self.name = name
    self.checks = checks
    expected = try Self.expectedFailures(values)
    try ResultFiles(values).probe()
  }

  /// Runs the checks, and answers how to end.
  func run() async throws(ExampleError) -> ProgramEnd {
    let capabilities = subject.transport.capabilities.names
    let output = ResultOutput(values, count: checks.count)
    output.begin(name, capabilities: capabilities, count: checks.count)
    func report(_ results: [ConformanceResult], _ speed: ConformanceSpeed? = nil) -> ConformanceReport {
      ConformanceReport(
        subject: name, capabilities: capabilities, results: results, expectedFailures: expected, speed: speed,
        planned: checks.count)
    }
    let requests = RequestsToEnd(notice: "stopping after this check; once more stops at once", output)
    defer { requests.stop() }
    var each = subject
    each.end = {}
    var results: [ConformanceResult] = []
    var stop: Stop?
    for check in checks {
      if let signal = requests.first {
        stop = .signal(signal)
        break
      }
      let result = await check.run(on: each)
      results.append(result)
      output.write(result, verdict: report([]).verdict(of: result))
      if !result.failures.isEmpty, await peerIsGone() {
        stop = .peerIsGone
        break
      }
    }
    if stop == nil, let signal = requests.first, results.count < checks.count { stop = .signal(signal) }
    let speed = stop == nil && subject.peer == nil ? await ConformanceSpeed.measured(on: subject) : nil
    await subject.end()
    let status = try output.end(report(results, speed))
    switch stop {
    case nil: return .status(status)
    case .signal(let signal): return .signal(signal)
    case .peerIsGone:
      throw ExampleError(
        .unavailable,
        "Nobody serves at \(name) any more, so the run stopped after \(results.count) of \(checks.count) checks: "
          + "start the program with --serve there again.")
    }
  }

  /// Whether no dial reaches the other process, for longer than it takes to begin again.
  private func peerIsGone() async -> Bool {
    guard let endpoint = subject.peer else { return false }
    let end = ContinuousClock.now + .seconds(5) * subject.timeFactor
    while true {
      do throws(TransportError) {
        try await subject.transport.connect(to: endpoint, before: end).abort()
        return false
      } catch {
        guard .now < end else { return true }
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  private static func expectedFailures(_ values: CommandLineValues) throws(ExampleError) -> ExpectedFailures {
    guard let path = values[ConformanceCommand.expectedFailures] else { return ExpectedFailures() }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileReading.read(path, what: "list of expected failures")
    } catch {
      throw ExampleError(error)
    }
    do throws(ExpectedFailures.LineError) {
      return try ExpectedFailures(text: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw ExampleError(.badData, "The list of expected failures “\(path)” cannot be used: \(error)")
    }
  }
}
