internal import CheckIn
internal import Synchronization

/// The requests that wait for the ledger's thread.
///
/// Any task puts requests in; the one thread takes out all that there are at once, so those that arrive while a
/// transaction is being written to the disk share the next one. Those that arrive before that join the one that is open.
final class LedgerQueue: Sendable {
  /// What the thread does next. Reads come first: they wait for no disk.
  struct Batch {
    var reads: [ReadRequest] = []
    var writes: [WriteRequest] = []
  }

  private struct State {
    var batch = Batch()
    var isClosing = false
    var isFinished = false
    /// Whether the thread sleeps, or is about to.
    var isIdle = true
    var closers: [CheckedContinuation<Void, Never>] = []
    var requestCount: UInt64 = 0

    /// Whether the thread must be woken: once for each time that it sleeps.
    mutating func wake() -> Bool {
      defer { isIdle = false }
      return isIdle
    }
  }

  private let state = Mutex(State())
  private let bell = Bell()

  /// Puts a request in; false when the ledger is closing or closed.
  func submit(_ read: ReadRequest) -> Bool {
    add { $0.reads.append(read) }
  }

  /// Puts a request in; false when the ledger is closing or closed.
  func submit(_ write: WriteRequest) -> Bool {
    add { $0.writes.append(write) }
  }

  /// How many requests were put in so far.
  var requestCount: UInt64 { state.withLock { $0.requestCount } }

  /// No more requests from now on: the thread ends when it has done those that are here.
  func beginClose() {
    let wakes = state.withLock { state in
      state.isClosing = true
      return state.wake()
    }
    if wakes { bell.ring() }
  }

  /// Waits until the thread has ended.
  func waitUntilFinished() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isFinished = state.withLock { state in
        if !state.isFinished { state.closers.append(continuation) }
        return state.isFinished
      }
      if isFinished { continuation.resume() }
    }
  }

  /// For the thread: waits for requests and takes them all; nil when the queue is closed and empty.
  func next() -> Batch? {
    while true {
      let (batch, isClosing) = state.withLock { state in
        let batch = state.batch
        state.batch = Batch()
        state.isIdle = batch.reads.isEmpty && batch.writes.isEmpty
        return (batch, state.isClosing)
      }
      if !batch.reads.isEmpty || !batch.writes.isEmpty { return batch }
      if isClosing { return nil }
      bell.wait()
    }
  }

  /// For the thread: takes the writes that have come since, at most so many; none where there are none.
  func takeWrites(atMost count: Int) -> ArraySlice<WriteRequest> {
    state.withLock { state in
      let writes = state.batch.writes.prefix(count)
      state.batch.writes.removeFirst(writes.count)
      return writes
    }
  }

  /// For the thread: everything is done and freed.
  func finish() {
    let closers = state.withLock { state in
      state.isFinished = true
      let closers = state.closers
      state.closers = []
      return closers
    }
    for closer in closers {
      closer.resume()
    }
  }

  private func add(_ change: (inout Batch) -> Void) -> Bool {
    let (isTaken, wakes) = state.withLock { state in
      guard !state.isClosing else { return (false, false) }
      change(&state.batch)
      state.requestCount += 1
      return (true, state.wake())
    }
    if wakes { bell.ring() }
    return isTaken
  }
}
