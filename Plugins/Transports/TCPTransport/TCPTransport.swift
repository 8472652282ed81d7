public import CheckIn
internal import Glibc
public import SocketIO

/// Connections over TCP: `tcp://127.0.0.1:7443`, `tcp://[::1]:7443`, `tcp://kiosk.local:7443`.
///
/// The host is an IPv4 address, an IPv6 address in brackets, or a name. Port 0 at listen gets a free one. A listener on
/// `0.0.0.0` or `[::]` accepts at every address of that family; such an address cannot be dialled. There are no
/// parameters. What is sent is not encrypted: wrap it (`tls+tcp://`) wherever others can reach the network.
public struct TCPTransport: Transport {
  private let loops: EventLoopGroup
  private let connectTimeout: Duration
  private let keepAlive: Duration?
  private let backlog: Int
  private let traits: SocketTraits
  private let lookUps = NameLookUps()

  /// A transport whose connections share these loops.
  ///
  /// - Parameters:
  ///   - loops: where the connections live.
  ///   - connectTimeout: how long a dial without a deadline may take, all addresses of a name together.
  ///   - linger: how long ``Connection/close()`` goes on to deliver what was sent.
  ///   - keepAlive: after how much silence the peer's machine is asked whether it is still there; after four questions
  ///     without an answer the peer is lost. Nil: never.
  ///   - backlog: how many connections wait for ``Listener/accept()``; the system may have a lower limit.
  public init(
    loops: EventLoopGroup, connectTimeout: Duration = .seconds(10), linger: Duration = .seconds(5),
    keepAlive: Duration? = .seconds(30), backlog: Int = 1024
  ) {
    self.loops = loops
    self.connectTimeout = connectTimeout
    self.keepAlive = keepAlive
    self.backlog = backlog
    traits = SocketTraits(confirmsDelivery: true, abortResets: true, linger: linger)
  }

  /// `tcp`.
  public var scheme: String { "tcp" }

  /// Half-close, free ports, and resets that tell an abort from a good end.
  public var capabilities: TransportCapabilities { [.halfClose, .ephemeralAddress, .tellsAbort] }

  /// Opens a connection. A name's addresses are tried one after the other, each with its share of the time.
  public func connect(
    to endpoint: Endpoint, before deadline: Deadline?
  ) async throws(TransportError) -> any Connection {
    let address = try TCPAddress(endpoint)
    guard address.port != 0 else {
      throw endpoint.malformed("port 0 asks for a free port when listening, and cannot be dialled")
    }
    guard !Task.isCancelled else { throw TransportError(.cancelled, "Dialling \(endpoint) was cancelled.") }
    let deadline = deadline ?? .now + connectTimeout
    let addresses = try await lookUps.addresses(of: address, before: deadline)
    guard !addresses.contains(where: \.isWildcard) else {
      throw endpoint.malformed("it stands for every address of a listener, and cannot be dialled; take one of them")
    }
    var failure: TransportError?
    for (index, address) in addresses.enumerated() {
      let now = ContinuousClock.now
      let share = now + now.duration(to: deadline) / (addresses.count - index)
      do throws(TransportError) {
        return try await connect(to: address, before: share)
      } catch {
        let error = TransportError(error.code, "\(endpoint): \(error.message)", cause: error.cause)
        if error.code == .cancelled || ContinuousClock.now >= deadline { throw error }
        // Refused says more than unreachable: a machine answered.
        if failure?.code != .refused { failure = error }
      }
    }
    throw failure ?? TransportError(.unreachable, "\(endpoint): the name has no address.")
  }

  /// Listens. Of a name's addresses the first that is this machine's is taken.
  public func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    let address = try TCPAddress(endpoint)
    let addresses = try await lookUps.addresses(of: address, before: .now + connectTimeout)
    var failure: TransportError?
    for socketAddress in addresses {
      do throws(TransportError) {
        return try listen(at: socketAddress, isFreePort: address.port == 0)
      } catch {
        failure = failure ?? TransportError(error.code, "\(endpoint): \(error.message)", cause: error.cause)
      }
    }
    throw failure ?? TransportError(.addressUnavailable, "\(endpoint): the name has no address.")
  }

  private func connect(
    to address: SocketAddress, before deadline: Deadline
  ) async throws(TransportError) -> SocketConnection {
    let descriptor = try Descriptor.stream(family: address.family, protocol: Int32(IPPROTO_TCP))
    Self.prepare(descriptor, keepAlive)
    let connection = try await SocketConnection.connect(
      descriptor, to: address, loops: loops, traits: traits, before: deadline, names: Self.names)
    guard connection.local != connection.remote else {
      // A dial to a free port of this machine can meet itself (RFC 9293 §3.5, simultaneous open).
      connection.abort()
      throw TransportError(system: ECONNREFUSED, "Connecting failed")
    }
    return connection
  }

  private func listen(at address: SocketAddress, isFreePort: Bool) throws(TransportError) -> SocketListener {
    var attempts = isFreePort ? 8 : 1
    while true {
      let descriptor = try Descriptor.stream(family: address.family, protocol: Int32(IPPROTO_TCP))
      try descriptor.set(SO_REUSEADDR, at: SOL_SOCKET, to: 1)
      if address.family == AF_INET6 {
        // An address means what it says: [::] is every IPv6 address, and 0.0.0.0 may be another listener's.
        try descriptor.set(IPV6_V6ONLY, at: Int32(IPPROTO_IPV6), to: 1)
      }
      var result = descriptor.bind(to: address)
      if result == 0 { result = descriptor.listen(backlog: Int32(clamping: backlog)) }
      attempts -= 1
      // A free port can be taken by somebody else between the two calls.
      if result == EADDRINUSE, attempts > 0 { continue }
      guard result == 0 else { throw TransportError(system: result, "Listening failed") }
      guard let bound = SocketAddress(of: descriptor), let endpoint = Endpoint(bound) else {
        throw TransportError(.other, "The system does not say where the listener is.")
      }
      let keepAlive = keepAlive
      return try SocketListener(
        descriptor, endpoint: endpoint, loops: loops, traits: traits, names: Self.names,
        prepare: { descriptor in Self.prepare(descriptor, keepAlive) })
    }
  }

  private static let names: SocketNames = { descriptor, peer in
    let unknown = Endpoint(scheme: "tcp", address: "unknown")
    let local = SocketAddress(of: descriptor).flatMap { Endpoint($0) }
    return (local ?? unknown, Endpoint(peer) ?? unknown)
  }

  /// Options that the connection would work without, so their errors do not matter.
  private static func prepare(_ descriptor: borrowing Descriptor, _ keepAlive: Duration?) {
    let tcp = Int32(IPPROTO_TCP)
    // Messages are sent whole, so waiting for more to put into a packet only delays them.
    try? descriptor.set(TCP_NODELAY, at: tcp, to: 1)
    guard let keepAlive else { return }
    let seconds = Int32(clamping: max(1, keepAlive.components.seconds))
    try? descriptor.set(SO_KEEPALIVE, at: SOL_SOCKET, to: 1)
    try? descriptor.set(TCP_KEEPIDLE, at: tcp, to: seconds)
    try? descriptor.set(TCP_KEEPINTVL, at: tcp, to: max(1, seconds / 3))
    try? descriptor.set(TCP_KEEPCNT, at: tcp, to: 4)
  }
}
