internal import Synchronization

/// Wakes tasks that wait for something to change.
package final class ProcessBell: Sendable {
  private struct State {
    var next = 0
    var rings = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  /// A bell.
  package init() {}

  /// How often it has rung.
  package var rings: Int { state.withLock { $0.rings } }

  /// Wakes everybody.
  package func ring() {
    let waiting = state.withLock { state in
      state.rings += 1
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until it has rung more often than `rings`, the deadline has passed, or the task is cancelled.
  package func wait(after rings: Int, before deadline: ContinuousClock.Instant) async {
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    let alarm = Task {
      try? await Task.sleep(until: deadline, clock: .continuous)
      wake(id)
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          if state.rings > rings || Task.isCancelled || ContinuousClock.now >= deadline { return true }
          state.waiting[id] = continuation
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      wake(id)
    }
    alarm.cancel()
  }

  private func wake(_ id: Int) {
    state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
  }
}
