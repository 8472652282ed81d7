internal import CheckIn
internal import CheckInCore
internal import Synchronization

/// What is to be encrypted and sent, in order.
struct TLSOutbox {
  struct Send {
    let bytes: [UInt8]
    let waiter: Waiter<TransportError?>
  }

  /// Not begun: its caller can take each back.
  var waiting: [Send] = []
  /// The one of which a part is encrypted, and how much.
  var begun: (send: Send, done: Int)?
  /// A task is at work.
  var isPumping = false
  /// We have finished, once all this has gone.
  var finishes = false
  var hasFinished = false
  /// Settled when the task has nothing more to do.
  var drained: [Waiter<Void>] = []

  /// Takes back what has not begun, and answers whom to tell. One that has begun still goes (C4), and its caller is told.
  mutating func dismissCallers() -> [Waiter<TransportError?>] {
    defer { waiting = [] }
    return (begun.map { [$0.send.waiter] } ?? []) + waiting.map(\.waiter)
  }
}

/// A piece to send, and the callers whose bytes end in it.
private struct Piece: Sendable {
  let bytes: [UInt8]
  let done: [Waiter<TransportError?>]

  func settle(_ error: TransportError?) {
    for waiter in done { waiter.settle(error) }
  }
}

extension TLSConnectionCore {
  /// How many bytes are encrypted at once: four records.
  private static let most = 65_536

  func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    guard !Task.isCancelled else { throw TransportError(.cancelled, "Sending was cancelled.") }
    let waiter = Waiter<TransportError?>()
    try state.withLock { state throws(TransportError) in
      switch state.phase {
      case .open: break
      case .failed(let error): throw error
      case .closed, .aborted: throw .closedHere
      }
      guard !state.outbox.finishes else { throw .finishedSending }
      if !bytes.isEmpty { state.outbox.waiting.append(.init(bytes: bytes, waiter: waiter)) }
    }
    if bytes.isEmpty { return }
    startPump()
    switch await waiter.wait(before: deadline) {
    case .settled(nil): return
    case .settled(let error?): throw error
    case .cancelled:
      withdraw(waiter)
      throw TransportError(.cancelled, "Sending was cancelled.")
    case .timedOut:
      withdraw(waiter)
      throw TransportError(.timedOut, "Sending to \(inner.remote) did not end in time.")
    }
  }

  /// Takes back a send that has not begun.
  private func withdraw(_ waiter: Waiter<TransportError?>) {
    state.withLock { $0.outbox.waiting.removeAll { $0.waiter === waiter } }
  }

  /// Sends what there is, unless that is under way: what needs no wait at once, and the rest in a task.
  func startPump() {
    let mustStart = state.withLock { state in
      defer { state.outbox.isPumping = true }
      return !state.outbox.isPumping
    }
    guard mustStart, let piece = pumpAtOnce() else { return }
    Task(executorPreference: inner.executor) { await self.pump(from: piece) }
  }

  /// Sends as long as no wait is needed, and answers the piece that needs one.
  private func pumpAtOnce() -> Piece? {
    while let piece = next() {
      do throws(TransportError) {
        guard try inner.sendAtOnce(piece.bytes, behind: nil) else { return piece }
        piece.settle(nil)
      } catch {
        // It is the caller that is cancelled: what is encrypted goes out all the same.
        guard error.code != .cancelled else { return piece }
        fail(error)
        piece.settle(error)
      }
    }
    return nil
  }

  private func pump(from first: Piece) async {
    var rest: Piece? = first
    while let piece = rest {
      do throws(TransportError) {
        try await inner.send(piece.bytes, before: nil)
        piece.settle(nil)
      } catch {
        fail(error)
        piece.settle(error)
      }
      rest = pumpAtOnce()
    }
  }

  private func next() -> Piece? {
    let (piece, drained, error) = state.withLock { state -> (Piece?, [Waiter<Void>], TransportError?) in
      do throws(TransportError) {
        if let piece = try Self.encrypt(&state) { return (piece, [], nil) }
        return (nil, Self.rest(&state), nil)
      } catch {
        return (nil, Self.rest(&state), error)
      }
    }
    if let error { fail(error) }
    for waiter in drained { waiter.settle(()) }
    return piece
  }

  private static func rest(_ state: inout State) -> [Waiter<Void>] {
    state.outbox.isPumping = false
    defer { state.outbox.drained = [] }
    return state.outbox.drained
  }

  /// Encrypts up to so many bytes, of one send after the other, and then the notice that we send no more.
  private static func encrypt(_ state: inout State) throws(TransportError) -> Piece? {
    switch state.phase {
    case .open, .closed: break
    case .failed:
      // An alert of ours may be left to say.
      let rest = state.engine.takeLeaving()
      return rest.isEmpty ? nil : Piece(bytes: rest, done: [])
    case .aborted: return nil
    }
    var room = most
    var done: [Waiter<TransportError?>] = []
    while room > 0, let (send, start) = state.outbox.begun ?? state.outbox.takeFirst() {
      let end = min(send.bytes.count, start + room)
      try state.engine.write(send.bytes[start..<end])
      room -= end - start
      if end == send.bytes.count {
        state.outbox.begun = nil
        done.append(send.waiter)
      } else {
        state.outbox.begun = (send, end)
      }
    }
    if state.outbox.finishes, !state.outbox.hasFinished, state.outbox.begun == nil, state.outbox.waiting.isEmpty {
      state.outbox.hasFinished = true
      state.engine.finish()
    }
    let bytes = state.engine.takeLeaving()
    return bytes.isEmpty ? nil : Piece(bytes: bytes, done: done)
  }
}

extension TLSOutbox {
  /// The next send, of which nothing is done.
  fileprivate mutating func takeFirst() -> (send: Send, done: Int)? {
    waiting.isEmpty ? nil : (waiting.removeFirst(), 0)
  }
}
