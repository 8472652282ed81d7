internal import CheckIn
internal import CheckInCore

/// The transport under test, each call of which is noted while it runs. It changes nothing.
struct WatchedTransport: Transport {
  let base: any Transport
  let watch: CallWatch

  var scheme: String { base.scheme }
  var capabilities: TransportCapabilities { base.capabilities }

  func connect(to endpoint: Endpoint, before deadline: Deadline?) async throws(TransportError) -> any Connection {
    let call = watch.begin(.dial(endpoint), before: deadline)
    defer { watch.end(call) }
    return WatchedConnection(try await base.connect(to: endpoint, before: deadline), watch)
  }

  func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    let call = watch.begin(.listen(endpoint))
    defer { watch.end(call) }
    return WatchedListener(try await base.listen(on: endpoint), watch)
  }
}

/// A listener whose calls are noted while they run.
private final class WatchedListener: Listener {
  private let base: any Listener
  private let watch: CallWatch

  init(_ base: any Listener, _ watch: CallWatch) {
    self.base = base
    self.watch = watch
  }

  var endpoint: Endpoint { base.endpoint }

  func accept() async throws(TransportError) -> any Connection {
    let call = watch.begin(.accept)
    defer { watch.end(call) }
    return WatchedConnection(try await base.accept(), watch)
  }

  func close() async {
    let call = watch.begin(.closeListener)
    defer { watch.end(call) }
    await base.close()
  }
}

/// A connection whose calls are noted while they run.
private final class WatchedConnection: Connection {
  fileprivate let base: any Connection
  private let watch: CallWatch

  init(_ base: any Connection, _ watch: CallWatch) {
    self.base = base
    self.watch = watch
  }

  var local: Endpoint { base.local }
  var remote: Endpoint { base.remote }
  var channelBinding: [UInt8]? { base.channelBinding }
  var peerAddress: String? { base.peerAddress }
  var peerCertificate: [UInt8]? { base.peerCertificate }
  var executor: (any TaskExecutor)? { base.executor }

  func receive(into queue: inout ByteQueue, before deadline: Deadline?) async throws(TransportError) -> Reception {
    let call = watch.begin(.receive, before: deadline)
    defer { watch.end(call) }
    return try await base.receive(into: &queue, before: deadline)
  }

  func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    let call = watch.begin(.send(bytes.count), before: deadline)
    defer { watch.end(call) }
    try await base.send(bytes, before: deadline)
  }

  func sendAtOnce(_ bytes: [UInt8], behind prefix: Frame.Prefix?) throws(TransportError) -> Bool {
    let call = watch.begin(.send(bytes.count))
    defer { watch.end(call) }
    return try base.sendAtOnce(bytes, behind: prefix)
  }

  func finish() async throws(TransportError) {
    let call = watch.begin(.finish)
    defer { watch.end(call) }
    try await base.finish()
  }

  func close() async {
    let call = watch.begin(.closeConnection)
    defer { watch.end(call) }
    await base.close()
  }

  func abort() {
    base.abort()
  }
}

extension Connection {
  /// The transport’s own connection, for who asks whether it is still there.
  var unwatched: any Connection { (self as? WatchedConnection)?.base ?? self }
}
