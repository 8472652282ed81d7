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
      let (attempt, done) = state.withLock { state in Self.receive(&state, into: &queue, capacity) }
      for waiter in done { waiter.settle(nil) }
      let waiter: Waiter<Void>
      switch attempt {
      case .found(let reception): return reception
      case .failed(let error): throw error
      case .wait(let new): waiter = new
      }
      switch await waiter.wait(before: deadline) {
      // Whoever settles it has taken it out.
      case .settled: continue
      case .cancelled:
        forget(waiter)
        throw .cancelled("Receiving")
      case .timedOut:
        forget(waiter)
        throw .timedOut("Receiving")
      }
    }
  }

  private func forget(_ waiter: Waiter<Void>) {
    state.withLock { state in
      if state.reader === waiter { state.reader = nil }
    }
  }

  /// What one attempt to receive found.
  private enum Attempt {
    case found(Reception)
    case failed(TransportError)
    case wait(Waiter<Void>)
  }

  private static func receive(
    _ state: inout State, into queue: inout ByteQueue, _ capacity: Int
  ) -> (Attempt, [Waiter<TransportError?>]) {
    guard state.receiving == .open else { return (.failed(.connectionClosed), []) }
    let count = state.bytes.count
    if count > 0 {
      if queue.isEmpty {
        // The memory changes hands, and no byte is copied.
        swap(&queue, &state.bytes)
      } else {
        state.bytes.withBytes { queue.append($0) }
        state.bytes.drop(count)
      }
      return (.found(.bytes(count)), advance(&state, capacity))
    }
    switch state.sending {
    case .finished, .closed: return (.found(.finished), [])
    case .aborted: return (.failed(.peerLost), [])
    case .open:
      precondition(state.reader == nil, "two tasks receive from one connection at once")
      let waiter = Waiter<Void>()
      state.reader = waiter
      return (.wait(waiter), [])
    }
  }

  func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    if try sendAtOnce(bytes) { return }
    let (pending, error, reader) = state.withLock { state in Self.wait(toSend: bytes, &state, capacity) }
    reader?.settle(())
    if let error { throw error }
    guard let pending else { return }
    switch await pending.wait(before: deadline) {
    case .settled(nil): return
    case .settled(.some(let error)): throw error
    case .cancelled:
      withdraw(pending)
      throw .cancelled("Sending")
    case .timedOut:
      withdraw(pending)
      throw .timedOut("Sending")
    }
  }

  /// Sends what there is room for; false, and nothing sent, where there is none. See ``CheckIn/Connection/sendAtOnce(_:behind:)``.
  func sendAtOnce(_ bytes: [UInt8]) throws(TransportError) -> Bool {
    guard !Task.isCancelled else { throw .cancelled("Sending") }
    let (hasRoom, reader) = try state.withLock { state throws(TransportError) -> (Bool, Waiter<Void>?) in
      if let error = Self.sendError(state) { throw error }
      guard state.pending.isEmpty, bytes.count <= capacity - state.bytes.count else { return (false, nil) }
      state.bytes.append(bytes)
      return (true, Self.wakeReader(&state))
    }
    reader?.settle(())
    return hasRoom
  }

  /// Queues the bytes, of which a part may go at once. Answers what the sender has to wait for, if it has to, or why it
  /// cannot send; and who is to be woken.
  private static func wait(
    toSend bytes: [UInt8], _ state: inout State, _ capacity: Int
  ) -> (Waiter<TransportError?>?, TransportError?, Waiter<Void>?) {
    if let error = sendError(state) { return (nil, error, nil) }
    let waiter = Waiter<TransportError?>()
    state.pending.append(PendingSend(bytes: bytes, sent: 0, waiter: waiter))
    let isDone = advance(&state, capacity).contains { $0 === waiter }
    return (isDone ? nil : waiter, nil, wakeReader(&state))
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
