internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import Synchronization

/// The two pipes of a connection, and who waits for them.
final class PipePair: Sendable {
  private struct Sending {
    let bytes: [UInt8]
    var sent = 0
    let wait: OneWait<TransportError?>
  }

  private struct State {
    var reading: Int32?
    var writing: Int32?
    var sends: [Sending] = []
    var reader: OneWait<Void>?
    var readWish: Int?
    var writeWish: Int?
    /// No more is sent when what waits has gone out.
    var isFinishing = false
    var isClosed = false
    /// The peer does not read any more.
    var isLost = false
    var closing: [OneWait<Void>] = []
  }

  private let thread: PollThread
  private let state: Mutex<State>

  init(reading: consuming Descriptor, writing: consuming Descriptor, thread: PollThread) {
    self.thread = thread
    state = Mutex(State(reading: reading.release(), writing: writing.release()))
  }

  deinit {
    abort()
  }

  /// What is there; nil when there is nothing yet, and `wait` will be settled.
  func receive(into queue: inout ByteQueue, orWake wait: OneWait<Void>) throws(TransportError) -> Reception? {
    var bytes: [UInt8] = []
    let result = state.withLock { state -> Result<Reception?, TransportError> in
      guard !state.isClosed, let reading = state.reading else { return .failure(.connectionClosed) }
      var space = [UInt8](repeating: 0, count: 65_536)
      // Unsafe: C writes no more than the count.
      let count = unsafe read(reading, &space, space.count)
      switch count {
      case 1...:
        bytes = Array(space[..<count])
        return .success(.bytes(count))
      case 0: return .success(.finished)
      default:
        guard errno == EAGAIN || errno == EINTR else { return .failure(.peerLost) }
        state.reader = wait
        if state.readWish == nil {
          state.readWish = thread.wish(reading, for: POLLIN) { [weak self] _ in self?.wakeReader() }
        }
        return .success(nil)
      }
    }
    queue.append(bytes)
    return try result.get()
  }

  func forgetReader(_ wait: OneWait<Void>) {
    state.withLock { state in if state.reader === wait { state.reader = nil } }
  }

  func send(_ bytes: [UInt8], _ wait: OneWait<TransportError?>) throws(TransportError) {
    let error = state.withLock { state -> TransportError? in
      if state.isClosed { return .connectionClosed }
      if state.isFinishing { return .finishedSending }
      if state.isLost { return .peerLost }
      state.sends.append(Sending(bytes: bytes, wait: wait))
      return nil
    }
    if let error { throw error }
    flush()
  }

  /// Takes a send back of which nothing has gone out. The rest of any other still goes out (C4).
  func withdraw(_ wait: OneWait<TransportError?>) {
    state.withLock { state in state.sends.removeAll { $0.wait === wait && $0.sent == 0 } }
    flush()
  }

  func finish() throws(TransportError) {
    let error = state.withLock { state -> TransportError? in
      if state.isClosed { return .connectionClosed }
      state.isFinishing = true
      return nil
    }
    if let error { throw error }
    flush()
  }

  /// Receives no more, and sends no more than the rest of what has begun to go out; `done` is settled when that has.
  func close(_ done: OneWait<Void>) {
    let (reader, waiting) = state.withLock { state -> (OneWait<Void>?, [OneWait<TransportError?>]) in
      let waiting = state.isClosed ? [] : state.sends.map(\.wait)
      state.isClosed = true
      state.isFinishing = true
      state.sends.removeAll { $0.sent == 0 }
      state.closing.append(done)
      closeReading(&state)
      defer { state.reader = nil }
      return (state.reader, waiting)
    }
    for wait in waiting { wait.settle(.connectionClosed) }
    reader?.settle(())
    flush()
  }

  func abort() {
    let (reader, waiting, closing) = state.withLock { state in
      defer {
        state.reader = nil
        state.sends = []
        state.closing = []
      }
      state.isClosed = true
      closeReading(&state)
      closeWriting(&state)
      return (state.reader, state.sends.map(\.wait), state.closing)
    }
    for wait in waiting { wait.settle(.connectionClosed) }
    reader?.settle(())
    for wait in closing { wait.settle(()) }
  }

  private func wakeReader() {
    let reader = state.withLock { state in
      defer { state.reader = nil }
      state.readWish = nil
      return state.reader
    }
    reader?.settle(())
  }

  /// Writes as much as the pipe takes.
  private func flush() {
    let (done, lost, closing) = state.withLock {
      state -> ([OneWait<TransportError?>], [OneWait<TransportError?>], [OneWait<Void>]) in
      var done: [OneWait<TransportError?>] = []
      var lost: [OneWait<TransportError?>] = []
      while let writing = state.writing, let first = state.sends.first {
        guard first.sent < first.bytes.count else {
          done.append(first.wait)
          state.sends.removeFirst()
          continue
        }
        let rest = Array(first.bytes[first.sent...].prefix(65_536))
        // Unsafe: C reads as many bytes as there are.
        let count = unsafe write(writing, rest, rest.count)
        if count > 0 {
          state.sends[0].sent += count
        } else if errno == EAGAIN {
          if state.writeWish == nil {
            state.writeWish = thread.wish(writing, for: POLLOUT) { [weak self] _ in
              self?.state.withLock { $0.writeWish = nil }
              self?.flush()
            }
          }
          break
        } else if errno != EINTR {
          state.isLost = true
          lost = state.sends.map(\.wait)
          state.sends = []
        }
      }
      guard state.sends.isEmpty else { return (done, lost, []) }
      if state.isFinishing { closeWriting(&state) }
      defer { state.closing = [] }
      return (done, lost, state.closing)
    }
    for wait in done { wait.settle(nil) }
    for wait in lost { wait.settle(.peerLost) }
    for wait in closing { wait.settle(()) }
  }

  private func closeReading(_ state: inout State) {
    if let wish = state.readWish { thread.forget(wish) }
    state.readWish = nil
    if let number = state.reading { Glibc.close(number) }
    state.reading = nil
  }

  private func closeWriting(_ state: inout State) {
    if let wish = state.writeWish { thread.forget(wish) }
    state.writeWish = nil
    if let number = state.writing { Glibc.close(number) }
    state.writing = nil
  }
}

extension Descriptor {
  /// The number, which is the caller's to close from now on.
  consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }
}

extension TransportError {
  static let connectionClosed = TransportError(.closed, "This side has closed the connection.")
  static let finishedSending = TransportError(.closed, "This side has finished sending.")
  static let peerLost = TransportError(.lost, "The peer is gone.")
}
