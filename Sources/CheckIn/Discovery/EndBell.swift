internal import Synchronization

/// The end of something that many tasks may wait for, before and after it comes. The first end counts.
package final class EndBell: Sendable {
  private struct State {
    /// Nil: not ended. An end without an error is a good one.
    var end: Result<Void, TransportError>?
    var waiting: [Waiter<Result<Void, TransportError>>] = []
  }

  private let state = Mutex(State())

  /// The end of something that goes on.
  package init() {}

  /// Says that it has ended: well, or by itself with an error. False when it had ended already.
  @discardableResult
  package func ring(_ error: TransportError? = nil) -> Bool {
    let end: Result<Void, TransportError> = error.map { .failure($0) } ?? .success(())
    let waiting = state.withLock { state -> [Waiter<Result<Void, TransportError>>]? in
      guard state.end == nil else { return nil }
      state.end = end
      defer { state.waiting = [] }
      return state.waiting
    }
    guard let waiting else { return false }
    for waiter in waiting { waiter.settle(end) }
    return true
  }

  /// Waits for the end.
  ///
  /// - Throws: the error that it ended with; ``TransportError/Code/cancelled`` when the task is cancelled, which ends nothing.
  package func wait() async throws(TransportError) {
    let waiter = Waiter<Result<Void, TransportError>>()
    let end = state.withLock { state in
      if state.end == nil { state.waiting.append(waiter) }
      return state.end
    }
    if let end { return try end.get() }
    switch await waiter.wait() {
    case .settled(let end): try end.get()
    case .cancelled, .timedOut:
      state.withLock { state in state.waiting.removeAll { $0 === waiter } }
      throw TransportError(.cancelled, "Waiting for an end was cancelled.")
    }
  }
}
