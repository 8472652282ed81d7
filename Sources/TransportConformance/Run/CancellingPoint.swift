internal import Synchronization

/// Cancels something when a point is reached, or as soon as it is known what to cancel.
final class CancellingPoint: Sendable {
  private struct State {
    var isReached = false
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  var isReached: Bool { state.withLock { $0.isReached } }

  /// What to cancel.
  var cancel: (@Sendable () -> Void)? {
    get { state.withLock { $0.cancel } }
    set {
      let isReached = state.withLock { state in
        state.cancel = newValue
        return state.isReached
      }
      if isReached { newValue?() }
    }
  }

  func reach() {
    let cancel = state.withLock { state in
      state.isReached = true
      return state.cancel
    }
    cancel?()
  }
}
