public import CheckIn

/// What is tested: a transport, and what its checks need to know of it.
///
/// Make one for each check, or one for all. ``end`` is called after each check that runs on it, so something that must
/// live for many checks is not for `end` to take down.
public struct ConformanceSubject: Sendable {
  /// The transport. Both ends of each connection are its own.
  public var transport: any Transport
  /// The addresses to test it with.
  public var addresses: ConformanceAddresses
  /// The most bytes that travel in one packet, where the medium has packets; sizes around it are tested too.
  public var packetSize: Int?
  /// How many dials an idle listener’s queue takes at most, with room to spare; nil where the queue has no bound.
  public var queueBound: Int?
  /// How many connections may be open at once, where the transport limits them.
  public var connectionLimit: Int?
  /// What every bound of time is multiplied by: 1 for loopback and for what is in memory, 20 for a slow radio.
  public var timeFactor: Double
  /// What amounts of bytes are multiplied by, where a check moves many of them: 1 for loopback and for what is in memory,
  /// 0.05 for a slow radio. The checks are the same, with less in them.
  public var volumeFactor: Double
  /// Whether the process is the suite’s alone. Then checks may change what holds for the whole process, such as its
  /// limit of descriptors.
  public var ownsProcess: Bool
  /// How many resources of the system are open. Unless said otherwise: the descriptors of this process.
  public var openResources: @Sendable () -> Int
  /// Where the transport has a handshake of its own: connects beneath it to a listener’s endpoint, and says nothing.
  public var stranger: (@Sendable (Endpoint) async throws -> any Connection)?
  /// Where another process serves for ``ConformanceSuite/peerChecks``.
  public var peer: Endpoint?
  /// Where ``ConformanceSuite/discoveryChecks`` look, where that is not what the transport itself says.
  public var browsingPlace: Endpoint?
  /// Called when a check is over.
  public var end: @Sendable () async -> Void

  /// What carries messages over a connection: ``/CheckIn/MessageChannel``, unless a broken one is tested.
  package var messages: @Sendable (any Connection, MessageChannel.Limits) -> any MessageCarrier = {
    connection, limits in
    MessageChannel(connection, limits: limits)
  }

  /// A transport, with these addresses.
  public init(
    _ transport: any Transport, addresses: ConformanceAddresses, packetSize: Int? = nil, queueBound: Int? = nil,
    connectionLimit: Int? = nil, timeFactor: Double = 1, volumeFactor: Double = 1, ownsProcess: Bool = false,
    openResources: (@Sendable () -> Int)? = nil,
    stranger: (@Sendable (Endpoint) async throws -> any Connection)? = nil,
    end: @escaping @Sendable () async -> Void = {}
  ) {
    self.transport = transport
    self.addresses = addresses
    self.packetSize = packetSize
    self.queueBound = queueBound
    self.connectionLimit = connectionLimit
    self.timeFactor = timeFactor
    self.volumeFactor = volumeFactor
    self.ownsProcess = ownsProcess
    self.openResources = openResources ?? { ProcessFigures.openDescriptors }
    self.stranger = stranger
    self.end = end
  }
}

/// What sends and receives whole messages, as ``/CheckIn/MessageChannel`` does.
package protocol MessageCarrier: Sendable {
  /// Sends one body.
  func send(_ body: [UInt8], before deadline: Deadline?) async throws(TransportError)
  /// Waits for the next body; nil at a good end.
  func receive(before deadline: Deadline?) async throws(TransportError) -> [UInt8]?
  /// Ends the connection in good order.
  func close() async
  /// Ends the connection now.
  func abort()
}

extension MessageChannel: MessageCarrier {}
