internal import CheckIn
internal import CheckInCore
internal import Synchronization

/// A connection beneath, and the engine between it and the user.
///
/// Receiving is done by the task that asks. So is sending, as far as that needs no wait; from there on a task of its own
/// sends, that lives while there is something to send: bytes that are encrypted once must go out, whatever becomes of the
/// caller's wait (C4).
final class TLSConnectionCore: Sendable {
  enum Phase {
    case open
    /// Nothing more can be sent; what has arrived can be read.
    case failed(TransportError)
    /// We closed it; what was sent still goes.
    case closed
    /// Nothing more goes.
    case aborted
  }

  struct State {
    let engine: TLSEngine
    var phase = Phase.open
    var outbox = TLSOutbox()
    /// What reading met, and meets again.
    var readFailure: TransportError?
    var closing: Task<Void, Never>?
  }

  let inner: any Connection
  private let linger: Duration
  let state: Mutex<State>
  /// What has arrived and is not decrypted; nil while a task receives.
  private let arrived: Mutex<ByteQueue?>

  /// - Parameter arrived: what came behind the handshake.
  init(_ inner: any Connection, _ engine: sending TLSEngine, arrived: ByteQueue, linger: Duration) {
    self.inner = inner
    self.arrived = Mutex(arrived)
    self.linger = linger
    state = Mutex(State(engine: engine))
  }

  func receive(into queue: inout ByteQueue, before deadline: Deadline?) async throws(TransportError) -> Reception {
    guard !Task.isCancelled else { throw TransportError(.cancelled, "Receiving was cancelled.") }
    guard
      var bytes = arrived.withLock({ waiting -> ByteQueue? in
        defer { waiting = nil }
        return waiting
      })
    else { preconditionFailure("two tasks receive from one connection at once") }
    defer {
      let kept = bytes
      arrived.withLock { $0 = kept }
    }
    while true {
      let reading: TLSEngine.Reading
      do throws(TransportError) {
        let mustFlush: Bool
        (reading, mustFlush) = try state.withLock { state throws(TransportError) in
          try Self.read(&state, &bytes, into: &queue)
        }
        if mustFlush { startPump() }
      } catch {
        guard error.code != .closed else { throw error }
        // Nothing can be sent either, but an alert that says why.
        fail(error)
        startPump()
        throw error
      }
      switch reading {
      case .bytes(let count): return .bytes(count)
      case .finished: return .finished
      case .needsMore: break
      }
      let reception: Reception
      do throws(TransportError) {
        reception = try await inner.receive(into: &bytes, before: deadline)
      } catch {
        throw translated(error)
      }
      if reception == .finished { throw translated(.endedWithoutNotice) }
    }
  }

  private static func read(
    _ state: inout State, _ bytes: inout ByteQueue, into queue: inout ByteQueue
  ) throws(TransportError) -> (TLSEngine.Reading, mustFlush: Bool) {
    switch state.phase {
    case .open, .failed: break
    case .closed, .aborted: throw .closedHere
    }
    if let failure = state.readFailure { throw failure }
    do throws(TransportError) {
      let engine = state.engine
      let reading = try engine.lending(&bytes) { () throws(TransportError) in try engine.read(into: &queue) }
      return (reading, state.engine.hasLeaving)
    } catch {
      state.readFailure = error
      throw error
    }
  }

  /// What an error of the connection beneath means here: when we ended it, or found out why it ended, that.
  private func translated(_ error: TransportError) -> TransportError {
    guard error.code == .closed || error.code == .lost else { return error }
    return state.withLock { state in
      switch state.phase {
      case .open: error
      case .failed(let failure): failure
      case .closed, .aborted: .closedHere
      }
    }
  }

  /// Ends our direction after what was sent.
  func finish() throws(TransportError) {
    try state.withLock { state throws(TransportError) in
      switch state.phase {
      case .open: state.outbox.finishes = true
      case .failed(let error): throw error
      case .closed, .aborted: throw .closedHere
      }
    }
    startPump()
  }

  func close() async {
    let (task, waiters) = state.withLock { state -> (Task<Void, Never>, [Waiter<TransportError?>]) in
      if let closing = state.closing { return (closing, []) }
      let drained = Waiter<Void>()
      let waiters = state.outbox.dismissCallers()
      state.outbox.finishes = true
      switch state.phase {
      case .open:
        state.phase = .closed
        state.outbox.drained.append(drained)
      case .failed, .closed, .aborted:
        state.phase = .aborted
        drained.settle(())
      }
      // A task of its own, so that a caller that is cancelled does not cut short what was sent.
      let task = Task {
        if case .settled = await drained.wait(before: .now + self.linger) {
          await self.inner.close()
        } else {
          // The peer does not read: what is left cannot be delivered whole.
          self.inner.abort()
        }
      }
      state.closing = task
      return (task, waiters)
    }
    for waiter in waiters { waiter.settle(.closedHere) }
    startPump()
    await task.value
  }

  func abort() {
    let waiters = state.withLock { state in
      state.phase = .aborted
      return state.outbox.dismissCallers()
    }
    inner.abort()
    for waiter in waiters { waiter.settle(.closedHere) }
  }

  /// Nothing more can be sent: the connection beneath, or TLS, has failed.
  func fail(_ error: TransportError) {
    let (failure, waiters) = state.withLock { state -> (TransportError, [Waiter<TransportError?>]) in
      if case .open = state.phase { state.phase = .failed(error) }
      let failure: TransportError =
        switch state.phase {
        case .failed(let failure): failure
        case .open, .closed, .aborted: .closedHere
        }
      return (failure, state.outbox.dismissCallers())
    }
    for waiter in waiters { waiter.settle(failure) }
  }
}
