internal import CheckIn
internal import CheckInCore
internal import Synchronization

/// What one end of a faulty connection does: seen from above TLS, and from beneath it. Each dial and each accept has one of
/// its own.
protocol FaultyEnd: AnyObject, Sendable {
  init()
  /// The user, above, has begun to end our direction.
  func finishes()
  /// What the user, above, gets for what TLS has answered.
  func received(_ answer: Result<Reception, TransportError>) -> Result<Reception, TransportError>
  /// What goes out, beneath, for what TLS has to send.
  func sending(_ bytes: [UInt8]) -> [UInt8]
  /// TLS, above, gets this of what came beneath.
  func arrived(_ reception: Reception)
}

extension FaultyEnd {
  func finishes() {}
  func received(_ answer: Result<Reception, TransportError>) -> Result<Reception, TransportError> { answer }
  func sending(_ bytes: [UInt8]) -> [UInt8] { bytes }
  func arrived(_ reception: Reception) {}
}

/// A transport with a fault that lies around TLS: a layer above and one beneath, which know of each other. TLS itself is ours.
///
/// An end is made beneath first, where the connection begins, and found above by the addresses of both ends.
final class Layers<End: FaultyEnd>: Sendable {
  private let ends = Mutex<[String: End]>([:])

  /// The layer beneath TLS.
  func beneath(_ transport: any Transport) -> any Transport {
    LayeredTransport(base: transport) { connection in
      let end = End()
      self.ends.withLock { $0[Self.name(connection)] = end }
      return LowerConnection(base: connection, end: end)
    }
  }

  /// The layer above TLS.
  func above(_ transport: any Transport) -> any Transport {
    LayeredTransport(base: transport) { connection in
      guard let end = self.ends.withLock({ $0.removeValue(forKey: Self.name(connection)) }) else { return connection }
      return UpperConnection(base: connection, end: end)
    }
  }

  private static func name(_ connection: any Connection) -> String {
    "\(connection.local.address) \(connection.remote.address)"
  }
}

/// A transport whose connections are wrapped.
struct LayeredTransport: Transport {
  let base: any Transport
  let wrap: @Sendable (any Connection) -> any Connection

  var scheme: String { base.scheme }
  var capabilities: TransportCapabilities { base.capabilities }

  func connect(to endpoint: Endpoint, before deadline: Deadline?) async throws(TransportError) -> any Connection {
    wrap(try await base.connect(to: endpoint, before: deadline))
  }

  func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    LayeredListener(base: try await base.listen(on: endpoint), wrap: wrap)
  }
}

private final class LayeredListener: Listener {
  private let base: any Listener
  private let wrap: @Sendable (any Connection) -> any Connection

  init(base: any Listener, wrap: @escaping @Sendable (any Connection) -> any Connection) {
    self.base = base
    self.wrap = wrap
  }

  var endpoint: Endpoint { base.endpoint }

  func accept() async throws(TransportError) -> any Connection { wrap(try await base.accept()) }

  func close() async { await base.close() }
}

/// What TLS holds.
private final class LowerConnection: Connection {
  private let base: any Connection
  private let end: any FaultyEnd

  init(base: any Connection, end: any FaultyEnd) {
    self.base = base
    self.end = end
  }

  var local: Endpoint { base.local }
  var remote: Endpoint { base.remote }

  func receive(into queue: inout ByteQueue, before deadline: Deadline?) async throws(TransportError) -> Reception {
    let reception = try await base.receive(into: &queue, before: deadline)
    end.arrived(reception)
    return reception
  }

  func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    let bytes = end.sending(bytes)
    if !bytes.isEmpty { try await base.send(bytes, before: deadline) }
  }

  func finish() async throws(TransportError) { try await base.finish() }
  func close() async { await base.close() }
  func abort() { base.abort() }
}

/// What the user holds.
private final class UpperConnection: Connection {
  private let base: any Connection
  private let end: any FaultyEnd

  init(base: any Connection, end: any FaultyEnd) {
    self.base = base
    self.end = end
  }

  var local: Endpoint { base.local }
  var remote: Endpoint { base.remote }
  var channelBinding: [UInt8]? { base.channelBinding }

  func receive(into queue: inout ByteQueue, before deadline: Deadline?) async throws(TransportError) -> Reception {
    let answer: Result<Reception, TransportError>
    do throws(TransportError) {
      answer = .success(try await base.receive(into: &queue, before: deadline))
    } catch {
      answer = .failure(error)
    }
    return try end.received(answer).get()
  }

  func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    try await base.send(bytes, before: deadline)
  }

  func finish() async throws(TransportError) {
    end.finishes()
    try await base.finish()
  }

  func close() async {
    end.finishes()
    await base.close()
  }

  func abort() { base.abort() }
}
