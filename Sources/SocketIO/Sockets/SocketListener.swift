public import CheckIn
internal import Synchronization

/// Accepts connections on a stream socket.
///
/// A connection that fails on its way, and a lack of descriptors, do not end the listener: it waits, and goes on (L6).
public final class SocketListener: Listener {
  /// Where it listens.
  public let endpoint: Endpoint
  private let core: SocketListenerCore

  /// Accepts connections on a socket that listens already.
  ///
  /// - Parameters:
  ///   - descriptor: the listening socket.
  ///   - endpoint: where it listens; see L1.
  ///   - loops: what the connections are shared among.
  ///   - traits: those of the connections.
  ///   - names: says what the two ends of a new connection are called.
  ///   - prepare: sets up a new connection's socket, such as its options.
  ///   - free: frees the address when the listener is closed; called once, before the socket is closed.
  public init(
    _ descriptor: consuming Descriptor, endpoint: Endpoint, loops: EventLoopGroup, traits: SocketTraits,
    names: @escaping SocketNames, prepare: @escaping @Sendable (borrowing Descriptor) -> Void = { _ in },
    free: @escaping @Sendable () -> Void = {}
  ) throws(TransportError) {
    self.endpoint = endpoint
    core = SocketListenerCore(
      descriptor, loops: loops, traits: traits, names: names, prepare: prepare, free: free)
    try core.start()
  }

  deinit {
    core.close()
  }

  /// Waits for the next connection; see ``Listener/accept()``.
  public func accept() async throws(TransportError) -> any Connection {
    try await core.accept()
  }

  /// Stops listening; see ``Listener/close()``. Connections that nobody has accepted are reset.
  public func close() async {
    core.close()
  }
}
