// WritingATransport.md: a transport, and what its medium has of its own.

public import CheckIn
internal import Glibc
public import SocketIO

/// Flies between the numbered lofts of one machine: `pigeon://7017`.
public struct PigeonTransport: Transport {
  private let loops: EventLoopGroup
  private let traits = SocketTraits(confirmsDelivery: true, abortResets: true)

  /// A transport whose connections share these loops.
  public init(loops: EventLoopGroup) {
    self.loops = loops
  }

  /// `pigeon`.
  public var scheme: String { "pigeon" }

  /// Half-close, free lofts, and an abort that is told from a good end.
  public var capabilities: TransportCapabilities { [.halfClose, .ephemeralAddress, .tellsAbort] }

  /// Opens a connection to the listener at that loft.
  public func connect(to endpoint: Endpoint, before deadline: Deadline?) async throws(TransportError) -> any Connection
  {
    let loft = try loft(of: endpoint)
    guard loft.number != 0 else {
      throw TransportError(.addressMalformed, "Loft 0 means a free one for a listener. Write the number that it got.")
    }
    guard !Task.isCancelled else { throw TransportError(.cancelled, "Dialling \(endpoint) was cancelled.") }
    let connection = try await SocketConnection.connect(
      .stream(family: loft.family), to: loft, loops: loops, traits: traits,
      before: deadline ?? .now + .seconds(10), names: Self.names)
    guard connection.local != connection.remote else {
      // TCP can meet itself where nobody listens.
      connection.abort()
      throw TransportError(.refused, "Nobody listens at \(endpoint). Is the kiosk running?")
    }
    return connection
  }

  /// Listens at that loft, or at a free one for 0.
  public func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    let loft = try loft(of: endpoint)
    let socket = try Descriptor.stream(family: loft.family)
    try socket.set(SO_REUSEADDR, at: SOL_SOCKET, to: 1)
    var error = socket.bind(to: loft)
    if error == 0 { error = socket.listen(backlog: 128) }
    guard error == 0, let real = SocketAddress(of: socket) else {
      throw TransportError(system: error, "Nobody can listen at \(endpoint)")
    }
    return try SocketListener(socket, endpoint: real.endpoint, loops: loops, traits: traits, names: Self.names)
  }

  private func loft(of endpoint: Endpoint) throws(TransportError) -> SocketAddress {
    guard endpoint.scheme == scheme else {
      throw TransportError(.unsupported, "This transport serves pigeon:// and not \(endpoint.scheme)://.")
    }
    guard let number = UInt16(endpoint.address), endpoint.address == "\(number)", endpoint.parameters.isEmpty,
      let loft = SocketAddress(loft: number)
    else {
      throw TransportError(.addressMalformed, "\(endpoint) is no loft: write its number alone, as in pigeon://7017.")
    }
    return loft
  }

  private static let names: SocketNames = { socket, peer in
    (SocketAddress(of: socket)?.endpoint ?? Endpoint(scheme: "pigeon", address: "unknown"), peer.endpoint)
  }
}

extension SocketAddress {
  /// The system's address of a loft: a port of this machine.
  init?(loft number: UInt16) {
    var loft = sockaddr_in()
    loft.sin_family = sa_family_t(AF_INET)
    loft.sin_port = number.bigEndian
    loft.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    // Unsafe: the memory has room for an address of any family.
    unsafe self.init { [loft] address, length in
      unsafe UnsafeMutableRawPointer(address).storeBytes(of: loft, as: sockaddr_in.self)
      length = socklen_t(MemoryLayout<sockaddr_in>.size)
      return true
    }
  }

  /// The number of the loft that is there.
  var number: UInt16 {
    // Unsafe: the memory has room for an address of any family, and the system has filled it.
    UInt16(
      bigEndian: unsafe withPointer { address, _ in
        unsafe UnsafeRawPointer(address).load(as: sockaddr_in.self).sin_port
      })
  }

  /// The loft as people write it.
  var endpoint: Endpoint { Endpoint(scheme: "pigeon", address: "\(number)") }
}
