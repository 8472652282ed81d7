internal import CheckIn
internal import Synchronization

/// One task's wait for one outcome from elsewhere, by a deadline and until it is cancelled. The first who settles it decides.
final class OneWait<Outcome: Sendable>: Sendable {
  enum Ending: Sendable {
    case settled(Outcome)
    case cancelled
    case timedOut
  }

  private enum State {
    case fresh
    case waiting(CheckedContinuation<Ending, Never>)
    case ended(Ending)
  }

  private let state = Mutex(State.fresh)

  /// False when the wait is over already: then the outcome is still the caller's.
  @discardableResult
  func settle(_ outcome: Outcome) -> Bool { end(.settled(outcome)) }

  func wait(before deadline: Deadline?) async -> Ending {
    let alarm = deadline.map { deadline in
      Task {
        if (try? await Task.sleep(until: deadline, clock: .continuous)) != nil { end(.timedOut) }
      }
    }
    defer { alarm?.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ending = state.withLock { state -> Ending? in
          if case .ended(let ending) = state { return ending }
          state = .waiting(continuation)
          return nil
        }
        if let ending { continuation.resume(returning: ending) }
      }
    } onCancel: {
      end(.cancelled)
    }
  }

  @discardableResult
  private func end(_ ending: Ending) -> Bool {
    let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Ending, Never>?) in
      switch state {
      case .ended: return (false, nil)
      case .fresh:
        state = .ended(ending)
        return (true, nil)
      case .waiting(let continuation):
        state = .ended(ending)
        return (true, continuation)
      }
    }
    continuation?.resume(returning: ending)
    return isFirst
  }
}
