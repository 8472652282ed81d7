internal import CheckIn
internal import CheckInCore
internal import Synchronization

/// Sends on their way to the connection beneath. At most one has begun; the others' callers wait, so memory is bounded.
struct FaultyOutbox {
  struct Send {
    let bytes: [UInt8]
    let waiter: Waiter<TransportError?>
    var isDelayed = false
  }

  var waiting: [Send] = []
  /// The caller of the send that has begun, if it still waits.
  var begun: Waiter<TransportError?>?
  /// A task is at work.
  var isPumping = false
  /// The place in the stream of the next byte.
  var place: UInt64 = 0
  var hasStalled = false
  /// We have finished, once all this has gone.
  var finishes = false
  var hasFinished = false
  /// The tail that a close loses.
  var held: [UInt8] = []
  var isHoldOver = false
  var holding: Waiter<Void>?
  /// Settled when the task has nothing more to do.
  var drained: Waiter<Void>?
}

extension FaultyConnectionCore {
  private enum Job {
    case delay(Duration)
    case send(FaultyOutbox.Send, after: [UInt8])
    case hold(Waiter<Void>)
    case flush([UInt8])
    case finish
  }

  private var sendsDirectly: Bool { faults.send.isClean && faults.held == 0 }

  func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    guard !sendsDirectly else {
      try checkOpen()
      do throws(TransportError) {
        return try await inner.send(bytes, before: deadline)
      } catch {
        throw translated(error)
      }
    }
    guard !Task.isCancelled else { throw TransportError(.cancelled, "Sending was cancelled.") }
    let waiter = Waiter<TransportError?>()
    let holding = try state.withLock { state throws(TransportError) in
      if let error = Self.ending(state.phase) { throw error }
      guard !state.outbox.finishes else { throw TransportError(.closed, "This side has finished sending.") }
      state.outbox.waiting.append(.init(bytes: bytes, waiter: waiter))
      return state.outbox.holding.take()
    }
    holding?.settle(())
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

  func finish() async throws(TransportError) {
    let (isDeferred, holding) = try state.withLock { state throws(TransportError) in
      if let error = Self.ending(state.phase) { throw error }
      guard state.outbox.isPumping, hasHalfClose else { return (state.outbox.finishes, Waiter<Void>?.none) }
      state.outbox.finishes = true
      state.outbox.isHoldOver = true
      return (true, state.outbox.holding.take())
    }
    holding?.settle(())
    guard !isDeferred else { return }
    do throws(TransportError) {
      try await inner.finish()
    } catch {
      throw translated(error)
    }
    state.withLock { state in
      state.outbox.finishes = true
      state.outbox.hasFinished = true
    }
  }

  /// Lets go of what is held, because this side wants to hear from the peer.
  func releaseHeld() {
    guard faults.held > 0 else { return }
    let holding = state.withLock { state in
      state.outbox.isHoldOver = true
      return state.outbox.holding.take()
    }
    holding?.settle(())
  }

  /// Tells every sender.
  func failSends(_ error: TransportError) {
    let waiters = state.withLock { state in
      let waiters = state.outbox.waiting.map(\.waiter) + (state.outbox.begun.map { [$0] } ?? [])
      state.outbox.waiting = []
      state.outbox.begun = nil
      return waiters
    }
    for waiter in waiters { waiter.settle(error) }
  }

  /// Takes back a send that has not begun. The rest of one that has begun still goes out (C4).
  private func withdraw(_ waiter: Waiter<TransportError?>) {
    state.withLock { $0.outbox.waiting.removeAll { $0.waiter === waiter } }
  }

  private func startPump() {
    let mustStart = state.withLock { state in
      guard !state.outbox.isPumping, !state.outbox.waiting.isEmpty else { return false }
      state.outbox.isPumping = true
      return true
    }
    if mustStart { Task(executorPreference: inner.executor) { await self.pump() } }
  }

  /// Does what there is to do, and ends.
  private func pump() async {
    while let job = nextJob() {
      switch job {
      case .delay(let delay): try? await pause(until: .now + delay, before: nil)
      case .send(let send, let held): await transmit(send, after: held)
      case .hold(let waiter):
        _ = await waiter.wait(before: .now + Self.hold)
        state.withLock { $0.outbox.isHoldOver = true }
      case .flush(let bytes): if let error = await move(bytes) { failSends(error) }
      case .finish: try? await inner.finish()
      }
    }
  }

  private func nextJob() -> Job? {
    let (job, drained) = state.withLock { state -> (Job?, Waiter<Void>?) in
      if case .open = state.phase, let job = Self.nextJob(&state.outbox, faults) { return (job, nil) }
      state.outbox.isPumping = false
      return (nil, state.outbox.drained.take())
    }
    drained?.settle(())
    return job
  }

  private static func nextJob(_ outbox: inout FaultyOutbox, _ faults: ConnectionFaults) -> Job? {
    if !outbox.waiting.isEmpty {
      let delay = faults.send.delay(at: outbox.place)
      if delay > .zero, !outbox.waiting[0].isDelayed {
        outbox.waiting[0].isDelayed = true
        return .delay(delay)
      }
      let send = outbox.waiting.removeFirst()
      outbox.begun = send.waiter
      defer { outbox.held = [] }
      return .send(send, after: outbox.held)
    }
    if !outbox.held.isEmpty {
      guard outbox.isHoldOver else {
        let waiter = Waiter<Void>()
        outbox.holding = waiter
        return .hold(waiter)
      }
      defer { outbox.held = [] }
      return .flush(outbox.held)
    }
    guard outbox.finishes, !outbox.hasFinished else { return nil }
    outbox.hasFinished = true
    return .finish
  }

  private func transmit(_ send: FaultyOutbox.Send, after held: [UInt8]) async {
    let tail = min(faults.held, send.bytes.count)
    if let error = await move(held + send.bytes.dropLast(tail)) { return failSends(error) }
    state.withLock { state in
      state.outbox.begun = nil
      guard case .open = state.phase else { return }
      state.outbox.held = Array(send.bytes.suffix(tail))
      state.outbox.isHoldOver = false
    }
    send.waiter.settle(nil)
    let place = state.withLock { $0.outbox.place }
    if case .end(let parameter) = faults.send.obstacle(at: place, ahead: 0, hasStalled: true) { end(by: parameter) }
  }

  /// Sends bytes beneath, in pieces, with everything that befalls them; answers why they did not all go.
  private func move(_ bytes: [UInt8]) async -> TransportError? {
    var rest = bytes[...]
    do throws(TransportError) {
      while !rest.isEmpty {
        let (place, hasStalled) = try state.withLock { state throws(TransportError) in
          if case .lost(let error) = state.phase { throw error }
          return (state.outbox.place, state.outbox.hasStalled)
        }
        let ahead = min(UInt64(rest.count), faults.send.piece(at: place))
        switch faults.send.obstacle(at: place, ahead: ahead, hasStalled: hasStalled) {
        case .stall:
          try await pause(until: faults.send.stall.map { .now + $0 }, before: nil)
          state.withLock { $0.outbox.hasStalled = true }
        case .end(let parameter):
          end(by: parameter)
          try checkOpen()
        case .none(let free):
          let count = Int(min(ahead, free))
          if rest.startIndex > 0 { await delay(at: place) }
          var piece = Array(rest.prefix(count))
          faults.send.damage(&piece, at: place)
          try await inner.send(piece, before: nil)
          rest = rest.dropFirst(count)
          state.withLock { $0.outbox.place += UInt64(count) }
        }
      }
    } catch {
      return translated(error)
    }
    return nil
  }

  /// The delay of a further piece. A close does not wait for it.
  private func delay(at place: UInt64) async {
    let delay = faults.send.delay(at: place)
    if delay > .zero { try? await pause(until: .now + delay, before: nil) }
  }
}
