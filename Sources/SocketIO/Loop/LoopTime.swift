internal import CheckIn

/// A point on one loop's clock, in nanoseconds: cheaper to compare and to keep in a heap than an instant.
struct LoopTime: Comparable, Hashable, Sendable {
  let nanoseconds: Int64

  static func < (left: LoopTime, right: LoopTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  static func + (time: LoopTime, duration: Duration) -> LoopTime {
    LoopTime(nanoseconds: time.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds).partialValue)
  }
}

/// Where a loop's clock begins.
struct LoopClock: Sendable {
  private let start = ContinuousClock.now

  var now: LoopTime { time(of: .now) }

  func time(of deadline: Deadline) -> LoopTime {
    LoopTime(nanoseconds: start.duration(to: deadline).wholeNanoseconds)
  }
}

extension Duration {
  /// Rounded up, and held within 146 years either way, so that two of them can be added.
  fileprivate var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let bound = Int64.max / 2
    guard abs(seconds) < bound / 1_000_000_000 - 1 else { return seconds < 0 ? -bound : bound }
    return seconds * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000
  }
}
