internal import CheckIn
internal import Glibc
internal import Synchronization

extension SocketChannel {
  func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    if try sendAtOnce(bytes, behind: nil) { return }
    let attempt = state.withLock { state in state.send(bytes, before: deadline, traits, loop) }
    guard let pending = try outcome(of: attempt) else { return }
    switch await pending.wait() {
    case .settled(nil): return
    case .settled(.some(let error)): throw error
    case .timedOut: throw .timedOut("Sending")
    case .cancelled:
      let effects = state.withLock { state in
        state.withdraw(pending)
        return state.advance(traits, loop)
      }
      perform(effects)
      throw .cancelled("Sending")
    }
  }

  /// Does what an attempt has left to do; answers what is to be waited for, if anything.
  func outcome(of attempt: SendAttempt) throws(TransportError) -> Waiter<TransportError?>? {
    switch attempt {
    case .sent: return nil
    case .refused(let error): throw error
    case .failed(let error, let effects):
      perform(effects)
      throw error
    case .waits(let waiter, let alarm):
      if let (time, token) = alarm { loop.setAlarm(at: time, for: token) }
      return waiter
    }
  }
}

/// What one attempt to send came to.
enum SendAttempt {
  case sent
  /// The connection, or our direction, had ended before.
  case refused(TransportError)
  /// The connection was found lost.
  case failed(TransportError, ChannelEffects)
  /// There is no room.
  case waits(Waiter<TransportError?>, alarm: (LoopTime, EventToken)?)
}

/// How far a write came.
enum WriteResult {
  /// So many bytes have gone in all.
  case wrote(Int)
  case failed(Int32)
}

extension ChannelState {
  mutating func send(
    _ bytes: [UInt8], before deadline: Deadline?, _ traits: SocketTraits, _ loop: EventLoop
  ) -> SendAttempt {
    if let error = errorOfSending { return .refused(error) }
    var effects = ChannelEffects()
    flush(traits, loop, &effects)
    if let error = errorOfSending { return .failed(error, effects) }
    var sent = 0
    if sends.isEmpty {
      lastSendTurn = loop.currentTurn
      switch write(bytes, from: 0, traits) {
      case .wrote(bytes.count): return .sent
      case .wrote(let count): sent = count
      case .failed(let number):
        let error = failSending(number, traits, &effects)
        return .failed(error, effects)
      }
    }
    watch(forRoom: true, loop)
    let waiter = Waiter<TransportError?>()
    sends.append(
      PendingSend(bytes: bytes, sent: sent, waiter: waiter, deadline: deadline.map(loop.clock.time(of:))))
    return .waits(waiter, alarm: nextAlarm())
  }

  /// Sends what waits, as far as there is room, and ends our direction behind it if that was asked for.
  mutating func flush(_ traits: SocketTraits, _ loop: EventLoop, _ effects: inout ChannelEffects) {
    while let first = sends.first {
      guard isWritable else { return watch(forRoom: true, loop) }
      switch write(first.bytes, from: first.sent, traits) {
      case .wrote(first.bytes.count):
        sends.removeFirst()
        effects.settle([first], nil)
      case .wrote(let count): sends[0].sent = count
      case .failed(let number): _ = failSending(number, traits, &effects)
      }
    }
    shutDownIfFinished(traits, &effects)
  }

  mutating func shutDownIfFinished(_ traits: SocketTraits, _ effects: inout ChannelEffects) {
    guard finishes, !hasFinished, sends.isEmpty, phase == .open else { return }
    hasFinished = true
    if shutdown(number, Int32(SHUT_WR)) != 0, errno != ENOTCONN { _ = failSending(errno, traits, &effects) }
  }

  /// Takes a send back of which nothing has gone out. Of any other the rest still goes out (C4).
  mutating func withdraw(_ waiter: Waiter<TransportError?>) {
    guard let index = sends.firstIndex(where: { $0.waiter === waiter }) else { return }
    if sends[index].sent == 0 {
      sends.remove(at: index)
    } else {
      sends[index].deadline = nil
    }
  }

  func finishError(_ traits: SocketTraits) -> TransportError? {
    guard phase == .open else { return endError }
    guard traits.hasHalfClose else {
      return TransportError(.unsupported, "This kind of connection cannot end one direction alone. Close it instead.")
    }
    return lost
  }

  var errorOfSending: TransportError? {
    guard phase == .open else { return endError }
    return finishes ? .finishedSending : lost ?? sendError
  }

  /// Writes until all has gone or there is no room.
  mutating func write(_ bytes: [UInt8], from start: Int, _ traits: SocketTraits) -> WriteResult {
    var sent = start
    let number = number
    // An accepted connection is asked at its first write.
    if maximumWrite == nil, !measure(traits) { return .failed(ENOTCONN) }
    while sent < bytes.count, isWritable {
      let end = maximumWrite.map { min(bytes.count, sent + $0) } ?? bytes.count
      let result = sendOnce(number, bytes.span.extracting(sent..<end))
      switch result {
      case 0 where traits.keepsPackets: sent = end
      case 1...: sent += result
      case Int(-EAGAIN): isWritable = false
      case Int(-EINTR): continue
      // No kind of socket else takes nothing and has no error: to try again without an end is no way.
      case 0: return .failed(EIO)
      default: return .failed(Int32(-result))
      }
    }
    return .wrote(sent)
  }

  /// The socket cannot send any more. Everyone who waits to send is told, and gets the same error.
  mutating func failSending(
    _ number: Int32, _ traits: SocketTraits, _ effects: inout ChannelEffects
  ) -> TransportError {
    let system = TransportError(system: number, "The connection was lost")
    let error = TransportError(.lost, system.message, cause: system.cause)
    sendError = error
    // After EPIPE the peer has only stopped receiving: what it sent before can be received, and its good end. So it is
    // after a reset where that may be a good end.
    if traits.resetMayBeEnd, [ECONNRESET, ENOTCONN].contains(number) {
      isReadable = true
    } else if number != EPIPE {
      lost = error
      isReadable = true
    }
    effects.settle(sends, error)
    sends = []
    wakeReader(&effects)
    return error
  }
}
