internal import CheckIn
internal import CheckInCore

/// A transport inside TLS.
struct TLSWrappedTransport: Transport {
  let scheme: String
  let inner: any Transport
  let wrapper: TLSTransport

  init(_ inner: any Transport, wrapper: TLSTransport) {
    self.inner = inner
    self.wrapper = wrapper
    scheme = "\(wrapper.prefix)+\(inner.scheme)"
  }

  var capabilities: TransportCapabilities {
    inner.capabilities.union([.secure, .channelBinding, .halfClose, .tellsAbort])
  }

  func connect(to endpoint: Endpoint, before deadline: Deadline?) async throws(TransportError) -> any Connection {
    let beneath = try beneath(endpoint)
    let context = try wrapper.context(.dialling, for: endpoint)
    let connection = try await inner.connect(to: beneath, before: deadline)
    let bound = ContinuousClock.now + wrapper.bounds.handshake
    do throws(TransportError) {
      let engine = try TLSEngine(context)
      let arrived = try await TLSHandshake.dial(
        engine, over: connection, before: deadline.map { min($0, bound) } ?? bound,
        confirmation: wrapper.bounds.confirmation)
      return wrapper.connection(connection, engine, arrived, scheme)
    } catch {
      abandon(connection, after: error)
      throw error.naming(endpoint)
    }
  }

  func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    let beneath = try beneath(endpoint)
    _ = try wrapper.context(.listening, for: endpoint)
    let listener = try await inner.listen(on: beneath)
    return TLSListener(TLSListenerCore(listener, wrapper: wrapper, scheme: scheme))
  }

  /// The same endpoint of the transport beneath.
  func beneath(_ endpoint: Endpoint) throws(TransportError) -> Endpoint {
    guard endpoint.scheme == scheme else {
      throw TransportError(.unsupported, "This transport serves \(scheme)://, not \(endpoint.scheme)://.")
    }
    return endpoint.withScheme(inner.scheme)
  }
}

/// Ends a connection whose handshake failed: in good order where the peer is to read why, else at once.
func abandon(_ connection: any Connection, after error: TransportError) {
  switch error.code {
  case .certificateRefused, .malformed: Task { await connection.close() }
  default: connection.abort()
  }
}

extension TLSTransport {
  /// A connection whose handshake is done, and behind which so much has come already.
  func connection(
    _ inner: any Connection, _ engine: sending TLSEngine, _ arrived: ByteQueue, _ scheme: String
  ) -> TLSConnection {
    let binding = engine.channelBinding()
    let certificate = engine.peerCertificate
    return TLSConnection(
      TLSConnectionCore(inner, engine, arrived: arrived, linger: bounds.linger), names: TLSNames(scheme: scheme),
      channelBinding: binding, peerCertificate: certificate)
  }
}

extension TransportError {
  /// The same, with the endpoint that was dialled.
  fileprivate func naming(_ endpoint: Endpoint) -> TransportError {
    TransportError(code, "\(endpoint): \(message)", cause: cause)
  }
}
