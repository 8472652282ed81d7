public import CheckIn
public import CheckInCore

/// What the two ends of a connected socket are called, as endpoints. A transport knows how its addresses are written.
///
/// The second argument is the peer's address as the system gave it when it connected.
public typealias SocketNames =
  @Sendable (_ descriptor: borrowing Descriptor, _ peer: SocketAddress) -> (local: Endpoint, remote: Endpoint)

/// A connection on a stream socket, served by one event loop.
///
/// Calls try the socket directly and wait only when it has nothing, or no room. Calls from the connection's own loop
/// (see ``executor``) are woken there without a thread hop.
public final class SocketConnection: Connection {
  /// Our end.
  public let local: Endpoint
  /// The peer's end.
  public let remote: Endpoint
  /// The peer's host, for limits on each peer (R19); nil in families that have none.
  public let peerAddress: String?
  private let channel: SocketChannel
  /// Held so that the loops run as long as there is a connection.
  private let loops: EventLoopGroup

  private init(
    channel: SocketChannel, local: Endpoint, remote: Endpoint, peer: SocketAddress, loops: EventLoopGroup
  ) {
    self.channel = channel
    self.local = local
    self.remote = remote
    peerAddress = peer.host
    self.loops = loops
  }

  deinit {
    channel.abort()
  }

  /// A connection on a socket that is connected already.
  ///
  /// - Parameter peer: the peer's address, as the system gave it.
  public convenience init(
    _ descriptor: consuming Descriptor, peer: SocketAddress, loops: EventLoopGroup, traits: SocketTraits,
    names: SocketNames
  ) throws(TransportError) {
    let (local, remote) = names(descriptor, peer)
    let channel = SocketChannel(descriptor, on: loops.next(), traits: traits, isConnected: true)
    try channel.start()
    self.init(channel: channel, local: local, remote: remote, peer: peer, loops: loops)
  }

  /// Connects a socket to an address, and waits until it is connected.
  ///
  /// - Throws: as the system says; ``TransportError/Code/timedOut`` and ``TransportError/Code/cancelled``. The socket is
  ///   closed then. A task that is cancelled already, or too late, dials nobody. ``TransportError/Code/resourcesExhausted`` also where the listener's queue is full and the kind of
  ///   socket does not wait (Unix): the caller may try again.
  public static func connect(
    _ descriptor: consuming Descriptor, to address: SocketAddress, loops: EventLoopGroup, traits: SocketTraits,
    before deadline: Deadline, names: SocketNames
  ) async throws(TransportError) -> SocketConnection {
    guard !Task.isCancelled else { throw .cancelled("Connecting") }
    guard .now < deadline else { throw .timedOut("Connecting") }
    let channel = SocketChannel(descriptor, on: loops.next(), traits: traits, isConnected: false)
    let (local, remote): (Endpoint, Endpoint)
    do throws(TransportError) {
      try await channel.connect(to: address, before: deadline)
      (local, remote) = try channel.names(names, fallback: address)
    } catch {
      channel.abandon()
      throw error
    }
    return SocketConnection(channel: channel, local: local, remote: remote, peer: address, loops: loops)
  }

  /// The event loop.
  public var executor: (any TaskExecutor)? { channel.loop }

  /// Waits for bytes; see ``Connection/receive(into:before:)``.
  public func receive(
    into queue: inout ByteQueue, before deadline: Deadline?
  ) async throws(TransportError) -> Reception {
    try await channel.receive(into: &queue, before: deadline)
  }

  /// Sends bytes; see ``Connection/send(_:before:)``.
  public func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    try await channel.send(bytes, before: deadline)
  }

  /// Sends without a wait, if that can be; see ``Connection/sendAtOnce(_:behind:)``.
  public func sendAtOnce(_ bytes: [UInt8], behind prefix: Frame.Prefix?) throws(TransportError) -> Bool {
    try channel.sendAtOnce(bytes, behind: prefix)
  }

  /// Ends our direction; see ``Connection/finish()``. What waits to go out goes out first.
  public func finish() async throws(TransportError) {
    try channel.finish()
  }

  /// Ends the connection in good order; see ``Connection/close()``.
  ///
  /// It waits, at most for ``SocketTraits/linger``, until everything has left, and, where the system can tell, until the
  /// peer's system has confirmed it. What the peer still sends meanwhile is read and thrown away, because closing a
  /// socket over unread bytes destroys bytes at the other end. A cancelled task closes just the same.
  public func close() async {
    await channel.close()
  }

  /// Ends the connection now; see ``Connection/abort()``.
  public func abort() {
    channel.abort()
  }
}
