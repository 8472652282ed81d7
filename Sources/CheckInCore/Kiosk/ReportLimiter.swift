/// How many lines about invalid tokens a second may have; the rest is counted and summed up (R16).
struct ReportLimiter: Sendable {
  private let limit: Int
  private var windowEnd: MonotonicTime?
  private var reported = 0
  private(set) var suppressed = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Whether this one may have its own line.
  mutating func admits(now: MonotonicTime) -> Bool {
    if windowEnd.map({ now >= $0 }) ?? true {
      windowEnd = now + .seconds(1)
      reported = 0
    }
    guard reported < limit else {
      suppressed += 1
      return false
    }
    reported += 1
    return true
  }

  /// How many had none since the last time that this was asked.
  mutating func takeSuppressed() -> Int {
    defer { suppressed = 0 }
    return suppressed
  }
}
