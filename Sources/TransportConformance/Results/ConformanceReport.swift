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

  /// A report.
  public init(
    subject: String, capabilities: [String], results: [ConformanceResult],
    expectedFailures: ExpectedFailures = ExpectedFailures(), speed: ConformanceSpeed? = nil
  ) {
    self.subject = subject
    self.capabilities = capabilities
    self.results = results
    self.expectedFailures = expectedFailures
    self.speed = speed
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

  /// Whether nothing unexpected happened, and anything was run at all.
  public var isGood: Bool {
    count(of: .failed) == 0 && count(of: .passedUnexpectedly) == 0 && results.contains { $0.skipReason == nil }
  }

  /// The verdict in one line.
  public var summary: String {
    var parts = ["\(count(of: .passed)) passed"]
    for verdict in [Verdict.failed, .failedAsExpected, .passedUnexpectedly, .skipped] where count(of: verdict) > 0 {
      parts.append("\(count(of: verdict)) \(verdict.rawValue)")
    }
    return parts.joined(separator: ", ")
  }
}
