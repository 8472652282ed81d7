internal import CheckInCore

/// Keeps a flood of refused connections from becoming a flood of log lines: some each second, then their number.
struct RefusalReports {
  private let perSecond = 5
  private var second: Int64 = .min
  private var reported = 0
  private var suppressed = 0

  /// Counts a refusal at `time`. Answers whether to report it, and how many of an earlier second were not.
  mutating func count(at time: MonotonicTime) -> (reports: Bool, suppressedBefore: Int) {
    let now = time.sinceStart.components.seconds
    var earlier = 0
    if now != second {
      earlier = suppressed
      second = now
      reported = 0
      suppressed = 0
    }
    guard reported < perSecond else {
      suppressed += 1
      return (false, earlier)
    }
    reported += 1
    return (true, earlier)
  }
}
