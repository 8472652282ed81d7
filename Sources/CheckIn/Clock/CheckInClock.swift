public import CheckInCore

/// Where kiosks and attendees read the time, and wait for it.
///
/// Both readings of ``now`` belong together. The monotonic one never goes back and nobody can set it.
public protocol CheckInClock: Sendable {
  /// Both clocks, now.
  var now: Moment { get }

  /// Returns at `time` or soon after; throws when the task is cancelled.
  func sleep(until time: MonotonicTime) async throws(CancellationError)
}
