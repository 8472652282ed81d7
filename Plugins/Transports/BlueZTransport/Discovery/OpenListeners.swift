internal import CheckIn
internal import Synchronization

/// The listeners of one transport that are open, and who is told when one is closed: its advertisements (A4).
final class OpenListeners: Sendable {
  typealias Closed = @Sendable () -> Void

  private struct State {
    var last: UInt64 = 0
    var told: [Endpoint: [UInt64: Closed]] = [:]
  }

  private let state = Mutex(State())

  /// A listener is open from now on.
  func open(_ endpoint: Endpoint) {
    state.withLock { $0.told[endpoint] = [:] }
  }

  /// A listener was closed. Tells who wants to know; they must not block.
  func close(_ endpoint: Endpoint) {
    for closed in state.withLock({ $0.told.removeValue(forKey: endpoint) ?? [:] }).values { closed() }
  }

  /// Whether a listener of this transport is open there. Of others, such as another program's, nothing is known.
  func contains(_ endpoint: Endpoint) -> Bool {
    state.withLock { $0.told[endpoint] != nil }
  }

  /// Has somebody told when the listener is closed; at once when it is closed already.
  ///
  /// - Returns: what ``forget(_:at:)`` takes; nil where nothing is open.
  func tell(of endpoint: Endpoint, _ closed: @escaping Closed) -> UInt64? {
    let number = state.withLock { state -> UInt64? in
      guard state.told[endpoint] != nil else { return nil }
      state.last += 1
      state.told[endpoint]?[state.last] = closed
      return state.last
    }
    if number == nil { closed() }
    return number
  }

  /// Tells that one no more.
  func forget(_ number: UInt64, at endpoint: Endpoint) {
    // Let go of after the lock: it may be the last reference to something that comes back here.
    let closed = state.withLock { $0.told[endpoint]?.removeValue(forKey: number) }
    _ = closed
  }
}
