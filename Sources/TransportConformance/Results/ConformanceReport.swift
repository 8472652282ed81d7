/// The results of a run of the suite, and the verdict.
public struct ConformanceReport: Sendable {
  /// What was tested, such as a URL.
  public let subject: String
  /// The capabilities that the transport declares.
  public let capabilities: [String]
  /// The results, in the order in which the checks ran.
  public let results: [ConformanceResult]
  /// Which failures are known.
  public let expectedFailures: ExpectedFailures
  /// How fast it was, where that was measured.
  public let speed: ConformanceSpeed?
  /// How many checks were to be run. A run that was stopped has fewer results.
  public let planned: Int

  /// A report; without a plan, of all that was to be run.
  public init(
    subject: String, capabilities: [String], results: [ConformanceResult],
    expectedFailures: ExpectedFailures = ExpectedFailures(), speed: ConformanceSpeed? = nil, planned: Int? = nil
  ) {
    self.subject = subject
    self.capabilities = capabilities
    self.results = results
    self.expectedFailures = expectedFailures
    self.speed = speed
    self.planned = planned ?? results.count
  }

  /// What a result is, seen with the list of expected failures.
  public enum Verdict: String, Hashable, Sendable {
    /// It holds.
    case passed
    /// It could not be run.
    case skipped
    /// It does not hold, and nobody expected that.
    case failed
    /// It does not hold, as is known.
    case failedAsExpected = "failed as expected"
    /// It was expected to fail, and holds: it is to be taken off the list.
    case passedUnexpectedly = "passed unexpectedly"
  }

  /// The verdict on one result.
  public func verdict(of result: ConformanceResult) -> Verdict {
    let isExpected = expectedFailures.ids.contains(result.check.id)
    return switch result.outcome {
    case .passed: isExpected ? .passedUnexpectedly : .passed
    case .skipped: .skipped
    case .failed: isExpected ? .failedAsExpected : .failed
    }
  }

  /// How many results have this verdict.
  public func count(of verdict: Verdict) -> Int {
    results.count { self.verdict(of: $0) == verdict }
  }

  /// Whether the run was stopped before its last check.
  public var isStopped: Bool { results.count < planned }

  /// How far a run that was stopped has come, such as “stopped after 3 of 120 checks”.
  public var stopSentence: String { "stopped after \(results.count) of \(planned) checks" }

  /// The checks of the list of expected failures that were not run, by name.
  public var expectedAndNotRun: [String] {
    expectedFailures.ids.subtracting(results.lazy.filter { $0.skipReason == nil }.map(\.check.id)).sorted()
  }

  /// Whether nothing unexpected happened, anything was run at all, and the run was not stopped.
  public var isGood: Bool {
    count(of: .failed) == 0 && count(of: .passedUnexpectedly) == 0 && hasRun && !isStopped
  }

  private var hasRun: Bool { results.contains { $0.skipReason == nil } }

  /// The verdict in one line.
  public var summary: String {
    var parts = ["\(count(of: .passed)) passed"]
    for verdict in [Verdict.failed, .failedAsExpected, .passedUnexpectedly, .skipped] where count(of: verdict) > 0 {
      parts.append("\(count(of: verdict)) \(verdict.rawValue)")
    }
    let counts = parts.joined(separator: ", ") + (hasRun ? "" : ": nothing was run")
    return isStopped ? "\(stopSentence): \(counts)" : counts
  }
}
