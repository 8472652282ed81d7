internal import CheckInCore

/// The deadlines of the waits of this process, all watched by one task.
///
/// A sleep for each would be kept by the system until its end, and most waits end long before their deadline.
@usableFromInline
package enum Deadlines {
  private static let start = ContinuousClock.now
  private static let timers = {
    let timers = TimerQueue(clock: SystemClock(from: start))
    Task.detached { await timers.run() }
    return timers
  }()

  /// Calls `action` at the deadline or soon after. It must return at once.
  @usableFromInline
  static func watch(_ deadline: Deadline, _ action: @escaping @Sendable () -> Void) -> TimerQueue.ID {
    timers.schedule(at: MonotonicTime(sinceStart: deadline - start), action)
  }

  /// Forgets a deadline.
  @usableFromInline
  static func forget(_ id: TimerQueue.ID) {
    timers.cancel(id)
  }
}
