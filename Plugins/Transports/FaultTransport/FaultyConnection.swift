internal import CheckIn
internal import CheckInCore

/// What a user of the transport holds. Dropping it without closing aborts the connection.
final class FaultyConnection: Connection {
  let local: Endpoint
  let remote: Endpoint
  private let core: FaultyConnectionCore

  init(
    _ inner: any Connection, _ faults: ConnectionFaults, _ names: FaultNames, _ capabilities: TransportCapabilities
  ) {
    local = names.name(inner.local)
    remote = names.name(inner.remote)
    core = FaultyConnectionCore(inner, faults, hasHalfClose: capabilities.contains(.halfClose))
  }

  deinit {
    core.abort()
  }

  var channelBinding: [UInt8]? { core.inner.channelBinding }
  var peerAddress: String? { core.inner.peerAddress }
  var peerCertificate: [UInt8]? { core.inner.peerCertificate }
  var executor: (any TaskExecutor)? { core.inner.executor }

  func receive(into queue: inout ByteQueue, before deadline: Deadline?) async throws(TransportError) -> Reception {
    try await core.receive(into: &queue, before: deadline)
  }

  func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    try await core.send(bytes, before: deadline)
  }

  func finish() async throws(TransportError) {
    try await core.finish()
  }

  func close() async {
    await core.close()
  }

  func abort() {
    core.abort()
  }
}
