internal import Synchronization

/// Tasks that come and go by the thousand, and end together.
///
/// A task group would do, but one of the standard library looks through all of its tasks whenever one of them ends.
final class TaskCrowd: Sendable {
  private struct State {
    var tasks: [UInt64: Task<Void, Never>] = [:]
    var lastNumber: UInt64 = 0
    var isCancelled = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Runs `body` in a task of its own; one that is cancelled already after ``cancel()``.
  func add(on executor: (any TaskExecutor)?, _ body: @escaping @Sendable () async -> Void) {
    // The task cannot end before it is noted: to end, it takes the lock.
    let (task, isCancelled) = state.withLock { state in
      state.lastNumber += 1
      let number = state.lastNumber
      let task = Task(executorPreference: executor) {
        await body()
        self.end(number)
      }
      state.tasks[number] = task
      return (task, state.isCancelled)
    }
    if isCancelled { task.cancel() }
  }

  /// Cancels all tasks, and those that are still to come.
  func cancel() {
    let tasks = state.withLock { state in
      state.isCancelled = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
  }

  /// Returns when all have ended, also in a cancelled task.
  func ended() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.tasks.isEmpty { state.waiting.append(continuation) }
        return state.tasks.isEmpty
      }
      if isOver { continuation.resume() }
    }
  }

  private func end(_ number: UInt64) {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.tasks[number] = nil
      guard state.tasks.isEmpty else { return [] }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
