internal import CheckIn
internal import CheckInCore
internal import Synchronization

/// A connection and what its faults need: bytes that wait to be handed out, and sends that wait to go.
///
/// A direction without faults goes straight to the connection beneath. Else received bytes wait in `incoming`, and a task
/// that lives only while there is something to send takes the sends in their order.
final class FaultyConnectionCore: Sendable {
  /// How long a close waits for a send that has begun.
  static let linger = Duration.seconds(5)
  /// How long the tail of a send is held for ``FaultParameter/loseOnClose``.
  static let hold = Duration.milliseconds(5)

  enum Phase {
    case open
    /// A fault has ended it.
    case lost(TransportError)
    /// We closed or aborted it.
    case closed
  }

  struct State {
    var phase = Phase.open
    /// Waits of this connection's own: delays, stalls and holds. All end when the phase changes.
    var pauses: [Waiter<Void>] = []
    var outbox = FaultyOutbox()
    var closing: Task<Void, Never>?
  }

  let inner: any Connection
  let faults: ConnectionFaults
  let hasHalfClose: Bool
  let state = Mutex(State())
  /// Nil while a task receives into it.
  let incoming = Mutex<FaultyIncoming?>(FaultyIncoming())

  init(_ inner: any Connection, _ faults: ConnectionFaults, hasHalfClose: Bool) {
    self.inner = inner
    self.faults = faults
    self.hasHalfClose = hasHalfClose
  }

  /// Throws when there is nothing more to do here.
  func checkOpen() throws(TransportError) {
    if let error = state.withLock({ Self.ending($0.phase) }) { throw error }
  }

  /// What an error of the connection beneath means here: when we, or a fault, ended it, that.
  func translated(_ error: TransportError) -> TransportError {
    guard error.code == .closed || error.code == .lost else { return error }
    return state.withLock { Self.ending($0.phase) } ?? error
  }

  static func ending(_ phase: Phase) -> TransportError? {
    switch phase {
    case .open: nil
    case .lost(let error): error
    case .closed: .closedHere
    }
  }

  /// Waits for `time`, or for ever; the end of the connection, the deadline and the task's cancellation end it earlier.
  func pause(until time: Deadline?, before deadline: Deadline?) async throws(TransportError) {
    if let time, time <= .now { return }
    let waiter = Waiter<Void>()
    try state.withLock { state throws(TransportError) in
      if let error = Self.ending(state.phase) { throw error }
      state.pauses.append(waiter)
    }
    let isDeadlineFirst = deadline.map { deadline in time.map { deadline < $0 } ?? true } ?? false
    let ending = await waiter.wait(before: isDeadlineFirst ? deadline : time)
    try state.withLock { state throws(TransportError) in
      state.pauses.removeAll { $0 === waiter }
      if let error = Self.ending(state.phase) { throw error }
    }
    switch ending {
    case .settled: break
    case .timedOut: if isDeadlineFirst { throw TransportError(.timedOut, "The peer did not do its part in time.") }
    case .cancelled: throw TransportError(.cancelled, "The wait was cancelled.")
    }
  }

  /// A fault ends the connection.
  func end(by parameter: FaultParameter) {
    let error = faults.error(.lost, "The connection to \(inner.remote) was lost", parameter)
    let ended = state.withLock { state -> [Waiter<Void>]? in
      guard case .open = state.phase else { return nil }
      state.phase = .lost(error)
      return Self.takePauses(&state)
    }
    guard let ended else { return }
    failSends(error)
    for pause in ended { pause.settle(()) }
    if parameter == .cutAfter {
      // In a task of its own: the close delivers what was sent, and takes its time if the peer does not read.
      Task { await inner.close() }
    } else {
      inner.abort()
    }
  }

  func close() async {
    let (task, pauses) = state.withLock { state in
      state.phase = .closed
      state.outbox.held = []
      if state.closing == nil, state.outbox.isPumping {
        let drained = Waiter<Void>()
        state.outbox.drained = drained
        // A task of its own, so that a caller that is cancelled does not cut short what was sent.
        state.closing = Task {
          _ = await drained.wait(before: .now + Self.linger)
          await self.inner.close()
        }
      }
      return (state.closing, Self.takePauses(&state))
    }
    failSends(.closedHere)
    for pause in pauses { pause.settle(()) }
    if let task {
      await task.value
    } else {
      await inner.close()
    }
  }

  func abort() {
    let pauses = state.withLock { state in
      state.phase = .closed
      state.outbox.held = []
      return Self.takePauses(&state)
    }
    inner.abort()
    failSends(.closedHere)
    for pause in pauses { pause.settle(()) }
  }

  private static func takePauses(_ state: inout State) -> [Waiter<Void>] {
    let pauses = state.pauses + (state.outbox.holding.map { [$0] } ?? [])
    state.pauses = []
    state.outbox.holding = nil
    return pauses
  }
}

extension TransportError {
  static let closedHere = TransportError(.closed, "This side has closed the connection.")
}
