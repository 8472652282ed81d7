internal import CheckIn
internal import CheckInCore

/// What a user of the transport holds. Dropping it without closing aborts the connection.
final class TLSConnection: Connection {
  let local: Endpoint
  let remote: Endpoint
  let channelBinding: [UInt8]?
  let peerCertificate: [UInt8]?
  private let core: TLSConnectionCore

  init(_ core: TLSConnectionCore, names: TLSNames, channelBinding: [UInt8]?, peerCertificate: [UInt8]?) {
    self.core = core
    self.peerCertificate = peerCertificate
    self.channelBinding = channelBinding
    local = names.name(core.inner.local)
    remote = names.name(core.inner.remote)
  }

  deinit {
    core.abort()
  }

  /// Lets the peer hear that it is accepted: what the handshake has left to say goes out.
  func confirm() {
    core.startPump()
  }

  var peerAddress: String? { core.inner.peerAddress }
  var executor: (any TaskExecutor)? { core.inner.executor }

  func receive(into queue: inout ByteQueue, before deadline: Deadline?) async throws(TransportError) -> Reception {
    try await core.receive(into: &queue, before: deadline)
  }

  func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    try await core.send(bytes, before: deadline)
  }

  func finish() async throws(TransportError) {
    try core.finish()
  }

  func close() async {
    await core.close()
  }

  func abort() {
    core.abort()
  }
}

/// Says the endpoints of the transport beneath as ours: with the prefix.
struct TLSNames: Sendable {
  let scheme: String

  /// Our name of an endpoint beneath.
  func name(_ beneath: Endpoint) -> Endpoint {
    Endpoint(scheme: scheme, address: beneath.address, parameters: beneath.parameters)
  }
}
