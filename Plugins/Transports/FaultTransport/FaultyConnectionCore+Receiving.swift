internal import CheckIn
internal import CheckInCore
internal import Synchronization

/// Bytes that have come from the connection beneath and wait to be handed out.
struct FaultyIncoming {
  /// Where the direction's stall stands.
  enum Stall: Hashable {
    case ahead
    /// Nil: for ever.
    case until(Deadline?)
    case over
  }

  var bytes = ByteQueue()
  /// The place in the stream of the next byte to be handed out.
  var place: UInt64 = 0
  /// The next piece is not handed out before this.
  var readyAt: Deadline?
  /// The peer has finished.
  var isFinished = false
  var stall = Stall.ahead
}

extension FaultyConnectionCore {
  /// The most bytes that are handed out, or gathered, at once.
  private static let most = 65_536

  func receive(into queue: inout ByteQueue, before deadline: Deadline?) async throws(TransportError) -> Reception {
    try checkOpen()
    releaseHeld()
    if faults.receive.isClean, faults.coalesce == nil {
      return try await receiveBeneath(into: &queue, before: deadline)
    }
    guard !Task.isCancelled else { throw TransportError(.cancelled, "Receiving was cancelled.") }
    guard
      var mine = incoming.withLock({ waiting -> FaultyIncoming? in
        defer { waiting = nil }
        return waiting
      })
    else { preconditionFailure("two tasks receive from one connection at once") }
    defer {
      let kept = mine
      incoming.withLock { $0 = kept }
    }
    while true {
      let ahead = min(UInt64(clamping: min(mine.bytes.count, Self.most)), faults.receive.piece(at: mine.place))
      switch faults.receive.obstacle(at: mine.place, ahead: max(1, ahead), hasStalled: mine.stall == .over) {
      case .stall:
        try await wait(out: &mine.stall, before: deadline)
      case .end(let parameter):
        end(by: parameter)
        try checkOpen()
      case .none(let free):
        if ahead > 0 {
          if let time = mine.readyAt { try await pause(until: time, before: deadline) }
          return handOut(Int(min(ahead, free)), of: &mine, to: &queue)
        }
        if mine.isFinished { return .finished }
        try await refill(&mine, before: deadline)
      }
    }
  }

  private func receiveBeneath(
    into queue: inout ByteQueue, before deadline: Deadline?
  ) async throws(TransportError) -> Reception {
    do throws(TransportError) {
      return try await inner.receive(into: &queue, before: deadline)
    } catch {
      throw translated(error)
    }
  }

  private func wait(out stall: inout FaultyIncoming.Stall, before deadline: Deadline?) async throws(TransportError) {
    if stall == .ahead { stall = .until(faults.receive.stall.map { .now + $0 }) }
    if case .until(let time) = stall { try await pause(until: time, before: deadline) }
    stall = .over
  }

  /// Takes what has come from beneath, and with ``FaultParameter/coalesce`` what comes soon after it.
  private func refill(_ mine: inout FaultyIncoming, before deadline: Deadline?) async throws(TransportError) {
    guard case .bytes = try await receiveBeneath(into: &mine.bytes, before: deadline) else {
      mine.isFinished = true
      return
    }
    setDelay(&mine)
    guard let coalesce = faults.coalesce else { return }
    let end = ContinuousClock.now + coalesce
    while mine.bytes.count < Self.most {
      do throws(TransportError) {
        let reception = try await receiveBeneath(into: &mine.bytes, before: deadline.map { min($0, end) } ?? end)
        guard case .bytes = reception else {
          mine.isFinished = true
          return
        }
      } catch {
        // What has come can be handed out; a loss is found again by the next call.
        guard error.code == .timedOut || error.code == .lost else { throw error }
        return
      }
    }
  }

  private func handOut(_ count: Int, of mine: inout FaultyIncoming, to queue: inout ByteQueue) -> Reception {
    var piece = mine.bytes.take(count)
    faults.receive.damage(&piece, at: mine.place)
    queue.append(piece)
    mine.place += UInt64(count)
    setDelay(&mine)
    if case .end(let parameter) = faults.receive.obstacle(at: mine.place, ahead: 0, hasStalled: true) {
      end(by: parameter)
    }
    return .bytes(count)
  }

  private func setDelay(_ mine: inout FaultyIncoming) {
    let delay = faults.receive.delay(at: mine.place)
    mine.readyAt = delay > .zero && !mine.bytes.isEmpty ? .now + delay : nil
  }
}
