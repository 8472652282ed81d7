public import CheckInCore
internal import Glibc

/// The machine's clocks: the real-time clock for wall time, and one that counts from this value's making, suspended
/// time included, for everything that is measured.
public struct SystemClock: CheckInClock {
  private let start: ContinuousClock.Instant

  /// Starts counting.
  public init() {
    self.init(from: .now)
  }

  /// Counts from then.
  init(from start: ContinuousClock.Instant) {
    self.start = start
  }

  /// Both clocks, now.
  public var now: Moment {
    var time = timespec()
    // SAFETY: the pointer is to a local variable and used only during the call.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Moment(
      wall: WallTime(secondsSince1970: Int64(time.tv_sec)),
      monotonic: MonotonicTime(sinceStart: ContinuousClock.now - start))
  }

  /// Returns at `time` or soon after; throws when the task is cancelled.
  public func sleep(until time: MonotonicTime) async throws(CancellationError) {
    do {
      try await Task.sleep(until: start + time.sinceStart, clock: .continuous)
    } catch {
      throw CancellationError()
    }
  }
}
