internal import CheckIn
internal import CheckInCore
internal import Synchronization

/// Bytes on their way from one end of a connection to the other: at most `capacity`, and the rest of one send.
final class MemoryPipe: Sendable {
  /// How far the sending end has come.
  enum Sending {
    case open
    /// Finished; the connection may still be open.
    case finished
    case closed
    case aborted
  }

  /// Whether the receiving end is still there.
  enum Receiving {
    case open
    case closed
    case aborted
  }

  /// A send that did not fit.
  private struct PendingSend {
    let bytes: [UInt8]
    var sent: Int
    let waiter: Waiter<TransportError?>
  }

  private struct State {
    var bytes = ByteQueue()
    var pending: [PendingSend] = []
    var sending = Sending.open
    /// ``finish()`` came while sends were pending.
    var finishes = false
    var receiving = Receiving.open
    var reader: Waiter<Void>?
  }

  private let capacity: Int
  private let state = Mutex(State())

  init(capacity: Int) {
    self.capacity = capacity
  }

  func receive(into queue: inout ByteQueue, before deadline: Deadline?) async throws(TransportError) -> Reception {
    while true {
      guard !Task.isCancelled else { throw .cancelled("Receiving") }
      let waiter = Waiter<Void>()
      let (found, done) = state.withLock { state -> (Result<Reception, TransportError>?, [Waiter<TransportError?>]) in
        guard state.receiving == .open else { return (.failure(.connectionClosed), []) }
        let count = state.bytes.count
        if count > 0 {
          state.bytes.withBytes { queue.append($0) }
          state.bytes.drop(count)
          return (.success(.bytes(count)), Self.advance(&state, capacity))
        }
        switch state.sending {
        case .finished, .closed: return (.success(.finished), [])
        case .aborted: return (.failure(.peerLost), [])
        case .open:
          precondition(state.reader == nil, "two tasks receive from one connection at once")
          state.reader = waiter
          return (nil, [])
        }
      }
      for waiter in done { waiter.settle(nil) }
      if let found { return try found.get() }
      let ending = await waiter.wait(before: deadline)
      state.withLock { state in
        if state.reader === waiter { state.reader = nil }
      }
      switch ending {
      case .settled: continue
      case .cancelled: throw .cancelled("Receiving")
      case .timedOut: throw .timedOut("Receiving")
      }
    }
  }

  func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    guard !Task.isCancelled else { throw .cancelled("Sending") }
    let waiter = Waiter<TransportError?>()
    let (found, reader) = state.withLock { state -> (Result<Bool, TransportError>, Waiter<Void>?) in
      if let error = Self.sendError(state) { return (.failure(error), nil) }
      state.pending.append(PendingSend(bytes: bytes, sent: 0, waiter: waiter))
      let isDone = Self.advance(&state, capacity).contains { $0 === waiter }
      return (.success(isDone), Self.wakeReader(&state))
    }
    reader?.settle(())
    if try found.get() { return }
    switch await waiter.wait(before: deadline) {
    case .settled(nil): return
    case .settled(.some(let error)): throw error
    case .cancelled:
      withdraw(waiter)
      throw .cancelled("Sending")
    case .timedOut:
      withdraw(waiter)
      throw .timedOut("Sending")
    }
  }

  func finish() throws(TransportError) {
    let (error, reader) = state.withLock { state -> (TransportError?, Waiter<Void>?) in
      switch state.sending {
      case .finished: return (nil, nil)
      case .closed, .aborted: return (.connectionClosed, nil)
      case .open: break
      }
      // A peer that has closed in good order does not mind; one that has aborted is lost (C10).
      guard state.receiving != .aborted else { return (.peerLost, nil) }
      state.finishes = true
      _ = Self.advance(&state, capacity)
      return (nil, Self.wakeReader(&state))
    }
    reader?.settle(())
    if let error { throw error }
  }

  /// The sending end closes or aborts. What is in the pipe can still be received.
  func endSending(_ ending: Sending) {
    let (pending, reader) = state.withLock { state -> ([PendingSend], Waiter<Void>?) in
      switch state.sending {
      case .closed, .aborted: return ([], nil)
      case .finished:
        // The peer has the end already: it stays a good one.
        state.sending = .closed
        return ([], nil)
      case .open: break
      }
      let pending = state.pending
      state.pending = []
      if case .closed = ending, let first = pending.first, first.sent > 0 {
        // The rest of a send that has begun: at most one, so the pipe stays bounded.
        state.bytes.append(first.bytes[first.sent...])
      }
      state.sending = ending
      return (pending, Self.wakeReader(&state))
    }
    reader?.settle(())
    for send in pending { send.waiter.settle(.connectionClosed) }
  }

  /// The receiving end is gone: what is in the pipe is dropped, and sends fail.
  func endReceiving(_ ending: Receiving) {
    let (pending, reader) = state.withLock { state -> ([PendingSend], Waiter<Void>?) in
      guard state.receiving == .open else { return ([], nil) }
      state.receiving = ending
      let pending = state.pending
      state.pending = []
      state.bytes = ByteQueue()
      return (pending, Self.wakeReader(&state))
    }
    reader?.settle(())
    for send in pending { send.waiter.settle(.peerLost) }
  }

  /// Takes a send back of which nothing has gone out. Of any other the rest still goes out (C4).
  private func withdraw(_ waiter: Waiter<TransportError?>) {
    state.withLock { $0.pending.removeAll { $0.waiter === waiter && $0.sent == 0 } }
  }

  /// Moves pending bytes into the pipe, as far as there is room, and answers whose sends are done.
  private static func advance(_ state: inout State, _ capacity: Int) -> [Waiter<TransportError?>] {
    var done: [Waiter<TransportError?>] = []
    while !state.pending.isEmpty {
      let send = state.pending[0]
      let count = min(capacity - state.bytes.count, send.bytes.count - send.sent)
      state.bytes.append(send.bytes[send.sent..<send.sent + count])
      guard send.sent + count == send.bytes.count else {
        state.pending[0].sent += count
        break
      }
      state.pending.removeFirst()
      done.append(send.waiter)
    }
    if state.finishes, state.pending.isEmpty, case .open = state.sending { state.sending = .finished }
    return done
  }

  private static func sendError(_ state: State) -> TransportError? {
    switch state.sending {
    case .closed, .aborted: .connectionClosed
    case .finished: .finishedSending
    case .open: state.finishes ? .finishedSending : state.receiving == .open ? nil : .peerLost
    }
  }

  private static func wakeReader(_ state: inout State) -> Waiter<Void>? {
    defer { state.reader = nil }
    return state.reader
  }
}
