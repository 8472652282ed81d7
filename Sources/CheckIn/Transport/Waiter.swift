internal import Synchronization

/// One task's wait for one outcome, which comes from elsewhere. Whoever settles it first decides.
///
/// Someone who hands over something that must not be lost, such as a connection, looks at what ``settle(_:)`` answers:
/// `false` means that the task has gone (cancelled, or too late), and the thing is still the caller's.
package final class Waiter<Outcome: Sendable>: Sendable {
  /// How the wait ended.
  package enum Ending: Sendable {
    /// Somebody settled it.
    case settled(Outcome)
    /// The waiting task was cancelled.
    case cancelled
    /// The deadline passed.
    case timedOut
  }

  private enum State {
    case fresh
    case waiting(CheckedContinuation<Ending, Never>)
    case ended(Ending)
  }

  private let state = Mutex(State.fresh)

  /// A wait that has not begun. It may be settled before it begins.
  package init() {}

  /// Ends the wait with an outcome; false when it has ended already.
  @discardableResult
  package func settle(_ outcome: Outcome) -> Bool {
    end(.settled(outcome))
  }

  /// Ends the wait because its deadline passed; false when it has ended already.
  @discardableResult
  package func expire() -> Bool {
    end(.timedOut)
  }

  /// Waits. Called once, by one task.
  ///
  /// - Parameter deadline: watched here, by a sleeping task. Someone who has cheaper timers passes nil and calls ``expire()``.
  package func wait(before deadline: Deadline? = nil) async -> Ending {
    let alarm = deadline.map { deadline in
      Task {
        do {
          try await Task.sleep(until: deadline, clock: .continuous)
          expire()
        } catch {
          // The wait is over.
        }
      }
    }
    defer { alarm?.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ending: Ending? = state.withLock { state in
          switch state {
          case .fresh:
            state = .waiting(continuation)
            return nil
          case .ended(let ending): return ending
          case .waiting: preconditionFailure("two tasks in one wait")
          }
        }
        if let ending { continuation.resume(returning: ending) }
      }
    } onCancel: {
      end(.cancelled)
    }
  }

  @discardableResult
  private func end(_ ending: Ending) -> Bool {
    let (first, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Ending, Never>?) in
      switch state {
      case .fresh:
        state = .ended(ending)
        return (true, nil)
      case .waiting(let continuation):
        state = .ended(ending)
        return (true, continuation)
      case .ended: return (false, nil)
      }
    }
    continuation?.resume(returning: ending)
    return first
  }
}
