internal import CheckIn
internal import Synchronization

/// What one task waits for that others put in. It never blocks those; of very much the oldest is let go of.
final class DaemonInbox<Element: Sendable>: Sendable {
  private struct State {
    var kept: [Element] = []
    var waiter: Waiter<Void>?
  }

  private let most: Int
  private let state = Mutex(State())

  init(most: Int = 256) {
    self.most = most
  }

  func put(_ element: Element) {
    let waiter = state.withLock { state in
      if state.kept.count == most { state.kept.removeFirst() }
      state.kept.append(element)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.settle(())
  }

  /// Waits for the next element.
  ///
  /// - Throws: ``/CheckIn/TransportError/Code/timedOut`` and ``/CheckIn/TransportError/Code/cancelled``.
  /// - Precondition: no other task is in this call.
  func next(before deadline: Deadline?) async throws(TransportError) -> Element {
    while true {
      let waiter = Waiter<Void>()
      let element = state.withLock { state -> Element? in
        if state.kept.isEmpty { state.waiter = waiter } else { return state.kept.removeFirst() }
        return nil
      }
      if let element { return element }
      switch await waiter.wait(before: deadline) {
      case .settled: continue
      case .cancelled: throw TransportError(.cancelled, "Waiting for bluetoothd was cancelled.")
      case .timedOut: throw TransportError(.timedOut, "bluetoothd said nothing in time.")
      }
    }
  }
}
