internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import Synchronization

/// Why a waiting receive goes on.
enum ReadWake: Sendable {
  /// The socket has something, or something has ended: look again.
  case ready
  case cancelled
  case timedOut
}

/// A suspended receive. The one kind of wait on the path of every message, so it costs no allocation.
@safe
struct ReadContinuation: Sendable {
  // Unsafe because nobody checks that it is resumed once: it is taken out of ``ReadWait`` under the lock to be resumed.
  private let continuation: UnsafeContinuation<ReadWake, Never>

  init(_ continuation: UnsafeContinuation<ReadWake, Never>) {
    unsafe self.continuation = unsafe continuation
  }

  func resume(_ wake: ReadWake) {
    unsafe continuation.resume(returning: wake)
  }
}

/// The one receive that may wait.
enum ReadWait {
  case none
  /// About to wait. The number tells it from earlier and later ones.
  case armed(UInt64)
  case waiting(UInt64, ReadContinuation, LoopTime?)
}

/// What one attempt to receive found.
enum ReceiveAttempt {
  case found(Reception)
  /// Nothing yet; the wait has this number.
  case wait(UInt64)
  /// Not before a rest; see ``SocketTraits/isCrowded``.
  case rest
}

extension SocketChannel {
  func receive(into queue: inout ByteQueue, before deadline: Deadline?) async throws(TransportError) -> Reception {
    // What is kept here is kept for each connection that waits. So errors are made in functions that do not wait, and
    // what is rarely done has a function of its own.
    let time = deadline.map(loop.clock.time(of:))
    var wake = ReadWake.ready
    while true {
      switch try attempt(into: &queue, after: wake, rested: false) {
      case .found(let reception): return reception
      case .wait(let number): wake = await waitReadable(number, until: time)
      case .rest: return try await receiveRested(into: &queue, before: deadline)
      }
    }
  }

  /// The same after a rest, in which the peer runs out of what it may send; see ``SocketTraits/isCrowded``.
  private func receiveRested(
    into queue: inout ByteQueue, before deadline: Deadline?
  ) async throws(TransportError) -> Reception {
    let end = Deadline.now + traits.rest
    try? await Task.sleep(until: min(end, deadline ?? end), clock: .continuous)
    var wake: ReadWake = deadline.map { $0 >= end } ?? true ? .ready : .timedOut
    while true {
      switch try attempt(into: &queue, after: wake, rested: true) {
      case .found(let reception): return reception
      case .wait(let number): wake = await waitReadable(number, until: deadline.map(loop.clock.time(of:)))
      case .rest: preconditionFailure("a receive rests once")
      }
    }
  }

  private func attempt(
    into queue: inout ByteQueue, after wake: ReadWake, rested: Bool
  ) throws(TransportError) -> ReceiveAttempt {
    if wake == .timedOut { throw .timedOut("Receiving") }
    guard wake == .ready, !Task.isCancelled else { throw .cancelled("Receiving") }
    return try state.withLock { state throws(TransportError) in
      try state.receive(into: &queue, traits, rested: rested)
    }
  }

  private func waitReadable(_ number: UInt64, until deadline: LoopTime?) async -> ReadWake {
    await withTaskCancellationHandler {
      // Unsafe: see ReadContinuation.
      await unsafe withUnsafeContinuation { continuation in
        let continuation = unsafe ReadContinuation(continuation)
        let (wake, alarm) = state.withLock { state in state.beginRead(number, continuation, until: deadline) }
        if let (time, token) = alarm { loop.setAlarm(at: time, for: token) }
        if let wake { continuation.resume(wake) }
      }
    } onCancel: {
      state.withLock { state in state.cancelRead(number) }?.resume(.cancelled)
    }
  }
}

extension ChannelState {
  /// The most that one receive takes; see ``Connection/receive(into:before:)``.
  private static let mostAtOnce = 262_144
  /// How much a receive asks for at first: what the compiler puts on the stack and not on the heap.
  static let leastAtOnce = 1_024

  /// - Parameter rested: nothing arrives now, if anything is unread: take all of it.
  mutating func receive(
    into queue: inout ByteQueue, _ traits: SocketTraits, rested: Bool
  ) throws(TransportError) -> ReceiveAttempt {
    guard phase == .open else { throw endError }
    switch receiveEnd {
    case .none: break
    case .finished: return .found(.finished)
    case .lost(let error): throw error
    }
    guard case .none = read else { preconditionFailure("two tasks receive from one connection at once") }
    if isReadable, !rested, isCrowded(traits) { return .rest }
    let number = number
    while isReadable {
      var result = 0
      var offered = Self.leastAtOnce
      if readSize == offered, !rested {
        // So a connection on which nothing comes, or little at a time, keeps no memory for more.
        result = receiveOnce(number, into: &queue, atMost: offered)
      } else {
        _ = queue.fill(atLeast: rested ? Self.mostAtOnce : readSize) { space in
          offered = min(space.count, Self.mostAtOnce)
          result = receiveOnce(number, into: &space, atMost: offered)
          return max(0, result)
        }
      }
      switch result {
      case 1...:
        if result < offered {
          if traits.shortReceiveDrains { isReadable = sawHangup }
        } else {
          readSize = min(readSize * 2, Self.mostAtOnce)
        }
        return .found(.bytes(result))
      case 0: return try endReceive(lost.map { .lost($0) } ?? .finished)
      case Int(-EAGAIN):
        isReadable = false
        // Sending has found the connection over, and the peer has not ended it.
        if traits.resetMayBeEnd, let sendError { lost = sendError }
      case Int(-EINTR): continue
      case Int(-ECONNRESET) where traits.resetMayBeEnd && !sawReset:
        // Whether the peer has ended the connection, or the way to it is gone, the next attempt tells.
        sawReset = true
        let system = TransportError(system: ECONNRESET, "The connection was lost")
        sendError = sendError ?? TransportError(.lost, system.message, cause: system.cause)
      default:
        let error = TransportError(system: Int32(-result), "The connection was lost")
        lost = TransportError(.lost, error.message, cause: error.cause)
        isReadable = false
      }
    }
    if let lost { return try endReceive(.lost(lost)) }
    lastRead += 1
    read = .armed(lastRead)
    return .wait(lastRead)
  }

  private func isCrowded(_ traits: SocketTraits) -> Bool {
    guard let isCrowded = traits.isCrowded else { return false }
    switch descriptor {
    case .some(let descriptor): return isCrowded(descriptor)
    case .none: return false
    }
  }

  private mutating func endReceive(_ end: ReceiveEnd) throws(TransportError) -> ReceiveAttempt {
    receiveEnd = end
    switch end {
    case .finished: return .found(.finished)
    case .lost(let error): throw error
    }
  }

  mutating func beginRead(
    _ number: UInt64, _ continuation: ReadContinuation, until deadline: LoopTime?
  ) -> (ReadWake?, (LoopTime, EventToken)?) {
    // Not armed any more: cancelled since.
    guard case .armed(number) = read else { return (.cancelled, nil) }
    guard phase == .open, !isReadable, lost == nil else {
      read = .none
      return (.ready, nil)
    }
    read = .waiting(number, continuation, deadline)
    return (nil, deadline == nil ? nil : nextAlarm())
  }

  mutating func cancelRead(_ number: UInt64) -> ReadContinuation? {
    switch read {
    case .armed(number):
      read = .none
      return nil
    case .waiting(number, let continuation, _):
      read = .none
      return continuation
    case .none, .armed, .waiting: return nil
    }
  }

  /// Notes that something has arrived, and answers the receive that waits for it, where nothing else is to be done.
  mutating func noteReadable() -> ReadContinuation? {
    guard phase == .open, sends.isEmpty, case .waiting(_, let continuation, _) = read else { return nil }
    isReadable = true
    read = .none
    return continuation
  }

  /// Wakes the waiting receive if it would find something now.
  mutating func wakeReader(_ effects: inout ChannelEffects) {
    guard case .waiting(_, let continuation, _) = read, isReadable || lost != nil || phase != .open else { return }
    read = .none
    effects.reader = continuation
  }
}
