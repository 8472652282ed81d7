internal import CheckIn
internal import CheckInCore

/// One end of two pipes that run in opposite directions.
final class MemoryConnection: Connection {
  let local: Endpoint
  let remote: Endpoint
  let executor: (any TaskExecutor)?
  private let incoming: MemoryPipe
  private let outgoing: MemoryPipe

  init(
    local: Endpoint, remote: Endpoint, incoming: MemoryPipe, outgoing: MemoryPipe,
    executor: (any TaskExecutor)?
  ) {
    self.local = local
    self.remote = remote
    self.incoming = incoming
    self.outgoing = outgoing
    self.executor = executor
  }

  deinit {
    abort()
  }

  func receive(into queue: inout ByteQueue, before deadline: Deadline?) async throws(TransportError) -> Reception {
    try await incoming.receive(into: &queue, before: deadline)
  }

  func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    try await outgoing.send(bytes, before: deadline)
  }

  func sendAtOnce(_ bytes: [UInt8], behind prefix: Frame.Prefix?) throws(TransportError) -> Bool {
    try outgoing.sendAtOnce(prefix?.before(bytes) ?? bytes)
  }

  func finish() async throws(TransportError) {
    try outgoing.finish()
  }

  func close() async {
    outgoing.endSending(.closed)
    incoming.endReceiving(.closed)
  }

  func abort() {
    outgoing.endSending(.aborted)
    incoming.endReceiving(.aborted)
  }
}
