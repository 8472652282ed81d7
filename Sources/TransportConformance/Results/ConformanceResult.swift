/// How one check ended.
public enum ConformanceOutcome: Hashable, Sendable {
  /// What it tests holds.
  case passed
  /// It could not be run: this is missing.
  case skipped(ConformanceNeed)
  /// Something was not as expected. There is at least one failure.
  case failed([ConformanceFailure])
}

/// One check, and how it ended.
public struct ConformanceResult: Sendable {
  /// The check.
  public let check: ConformanceCheck
  /// How it ended.
  public let outcome: ConformanceOutcome
  /// How long it took.
  public let duration: Duration

  /// A result.
  public init(check: ConformanceCheck, outcome: ConformanceOutcome, duration: Duration) {
    self.check = check
    self.outcome = outcome
    self.duration = duration
  }

  /// What was not as expected; none unless it failed.
  public var failures: [ConformanceFailure] {
    if case .failed(let failures) = outcome { failures } else { [] }
  }

  /// Why it did not run, as a sentence; nil unless it was skipped.
  public var skipReason: String? {
    if case .skipped(let need) = outcome { "\(check.id) was skipped: it needs \(need.text)." } else { nil }
  }
}

extension ConformanceResult: CustomStringConvertible {
  /// For people: name, title and verdict; of a failure also what was expected, what happened and which requirements say so.
  public var description: String {
    switch outcome {
    case .passed: return "\(check): passed"
    case .skipped: return skipReason ?? ""
    case .failed(let failures):
      let lines = failures.map { "\($0)\n(\($0.place))" } + check.requirements.map(\.description)
      return "\(check): failed\n" + lines.joined(separator: "\n")
    }
  }
}
