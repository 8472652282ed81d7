internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import Synchronization

/// One end of two pipes that run in opposite directions.
final class FIFOConnection: Connection {
  let local: Endpoint
  let remote: Endpoint
  private let core: PipePair

  init(
    reading: consuming Descriptor, writing: consuming Descriptor, local: Endpoint, remote: Endpoint, thread: PollThread
  ) {
    self.local = local
    self.remote = remote
    core = PipePair(reading: reading, writing: writing, thread: thread)
  }

  deinit {
    core.abort()
  }

  func receive(into queue: inout ByteQueue, before deadline: Deadline?) async throws(TransportError) -> Reception {
    while true {
      guard !Task.isCancelled else { throw TransportError(.cancelled, "Receiving was cancelled.") }
      let wait = OneWait<Void>()
      if let reception = try core.receive(into: &queue, orWake: wait) { return reception }
      let ending = await wait.wait(before: deadline)
      core.forgetReader(wait)
      switch ending {
      case .settled: continue
      case .cancelled: throw TransportError(.cancelled, "Receiving was cancelled.")
      case .timedOut: throw TransportError(.timedOut, "Nothing came in time.")
      }
    }
  }

  func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    guard !Task.isCancelled else { throw TransportError(.cancelled, "Sending was cancelled.") }
    let wait = OneWait<TransportError?>()
    try core.send(bytes, wait)
    switch await wait.wait(before: deadline) {
    case .settled(nil): return
    case .settled(.some(let error)): throw error
    case .cancelled:
      core.withdraw(wait)
      throw TransportError(.cancelled, "Sending was cancelled.")
    case .timedOut:
      core.withdraw(wait)
      throw TransportError(.timedOut, "The peer did not read in time.")
    }
  }

  func finish() async throws(TransportError) {
    try core.finish()
  }

  /// Waits at most three seconds until everything is in the pipe, from which the peer can read it also when we are gone.
  func close() async {
    let done = OneWait<Void>()
    core.close(done)
    // A cancelled task closes just the same, so the wait is in a task of its own.
    await Task { _ = await done.wait(before: .now + .seconds(3)) }.value
    core.abort()
  }

  func abort() {
    core.abort()
  }
}
