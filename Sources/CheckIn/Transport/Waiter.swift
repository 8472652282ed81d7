public import Synchronization

/// One task's wait for one outcome, which comes from elsewhere. Whoever settles it first decides.
///
/// Someone who hands over something that must not be lost, such as a connection, looks at what ``settle(_:)`` answers:
/// `false` means that the task has gone (cancelled, or too late), and the thing is still the caller's.
///
/// It is on the path of every message, so all of it is inlinable: made for its outcome where it is used, it asks the
/// runtime for no type.
@usableFromInline
package final class Waiter<Outcome: Sendable>: Sendable {
  /// How the wait ended.
  @usableFromInline
  package enum Ending: Sendable {
    /// Somebody settled it.
    case settled(Outcome)
    /// The waiting task was cancelled.
    case cancelled
    /// The deadline passed.
    case timedOut
  }

  @usableFromInline
  enum State {
    case fresh
    case waiting(WaiterContinuation<Outcome>)
    case ended(Ending)
  }

  @usableFromInline let state: Mutex<State>

  /// A wait that has not begun. It may be settled before it begins.
  @inlinable
  package init() {
    state = Mutex(.fresh)
  }

  @inlinable
  deinit {}

  /// Ends the wait with an outcome; false when it has ended already.
  @inlinable
  @discardableResult
  package func settle(_ outcome: Outcome) -> Bool {
    end(.settled(outcome))
  }

  /// Ends the wait because its deadline passed; false when it has ended already.
  @inlinable
  @discardableResult
  package func expire() -> Bool {
    end(.timedOut)
  }

  /// Waits. Called once, by one task.
  ///
  /// - Parameter deadline: watched here. Someone who has timers of their own passes nil and calls ``expire()``.
  @inlinable
  package func wait(before deadline: Deadline? = nil) async -> Ending {
    if let ending { return ending }
    guard let deadline else { return await wait() }
    let watch = Deadlines.watch(deadline) { self.expire() }
    defer { Deadlines.forget(watch) }
    return await wait()
  }

  /// How it has ended; nil while it has not.
  @inlinable
  var ending: Ending? {
    state.withLock { state in
      if case .ended(let ending) = state { ending } else { nil }
    }
  }

  @inlinable
  func wait() async -> Ending {
    await withTaskCancellationHandler {
      // Unsafe: see WaiterContinuation.
      await unsafe withUnsafeContinuation { continuation in
        let continuation = unsafe WaiterContinuation(continuation)
        let ending: Ending? = state.withLock { state in
          switch state {
          case .fresh:
            state = .waiting(continuation)
            return nil
          case .ended(let ending): return ending
          case .waiting: preconditionFailure("two tasks in one wait")
          }
        }
        if let ending { continuation.resume(ending) }
      }
    } onCancel: {
      end(.cancelled)
    }
  }

  @inlinable
  @discardableResult
  func end(_ ending: Ending) -> Bool {
    let (first, continuation) = state.withLock { state -> (Bool, WaiterContinuation<Outcome>?) in
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
    continuation?.resume(ending)
    return first
  }
}

/// A suspended wait. Nobody checks that it is resumed once, so that it costs no allocation.
@usableFromInline
@safe
struct WaiterContinuation<Outcome: Sendable>: Sendable {
  // Unsafe because of that: it is taken out of the waiter's state under the lock to be resumed.
  @usableFromInline let continuation: UnsafeContinuation<Waiter<Outcome>.Ending, Never>

  @inlinable
  init(_ continuation: UnsafeContinuation<Waiter<Outcome>.Ending, Never>) {
    unsafe self.continuation = unsafe continuation
  }

  @inlinable
  func resume(_ ending: Waiter<Outcome>.Ending) {
    unsafe continuation.resume(returning: ending)
  }
}
