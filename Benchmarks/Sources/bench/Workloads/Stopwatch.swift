internal import CPeers

/// Measures a time.
struct Stopwatch {
  /// Which time.
  enum Time {
    /// The one on the wall.
    case passed
    /// The one in which this process has worked, without that in which others had the core: for work that never waits.
    case worked
  }

  private let time: Time
  private let start: UInt64

  init(_ time: Time = .passed) {
    self.time = time
    start = Self.now(time)
  }

  /// How much of the time so far each of so many things took, in nanoseconds.
  func nanoseconds(each count: Int) -> Double {
    Double(Self.now(time) - start) / Double(count)
  }

  private static func now(_ time: Time) -> UInt64 {
    switch time {
    case .passed: peer_now()
    case .worked: peer_cpu_now()
    }
  }
}
