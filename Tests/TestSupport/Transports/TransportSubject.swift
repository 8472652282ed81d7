public import CheckIn
internal import CheckInCore
public import Testing

/// A transport, with the addresses that its checks need.
public struct TransportSubject: Sendable {
  /// The transport.
  public let transport: any Transport
  /// An address to listen at that no other call gives.
  public let freshAddress: @Sendable () -> Endpoint
  /// Addresses that cannot be read.
  public let malformed: [Endpoint]
  /// Addresses that can be listened at and not dialled.
  public let listenOnly: [Endpoint]
  /// How many dials an idle listener's queue takes at most, with room to spare.
  public let queueBound: Int
  /// Called when the check is over.
  public let end: @Sendable () async -> Void

  /// A transport with these addresses.
  public init(
    _ transport: any Transport, malformed: [Endpoint], listenOnly: [Endpoint], queueBound: Int,
    freshAddress: @escaping @Sendable () -> Endpoint, end: @escaping @Sendable () async -> Void = {}
  ) {
    self.transport = transport
    self.freshAddress = freshAddress
    self.malformed = malformed
    self.listenOnly = listenOnly
    self.queueBound = queueBound
    self.end = end
  }

  func has(_ capability: TransportCapabilities) -> Bool {
    transport.capabilities.contains(capability)
  }

  func listen() async throws -> any Listener {
    try await transport.listen(on: freshAddress())
  }

  func dial(_ listener: any Listener) async throws -> any Connection {
    try await transport.connect(to: listener.endpoint, before: .now + .seconds(20))
  }

  /// A connection, by its two ends.
  func pair() async throws -> Pair {
    let listener = try await listen()
    let pair = try await pair(at: listener)
    return Pair(near: pair.near, far: pair.far, listener: listener)
  }

  func pair(at listener: any Listener) async throws -> Pair {
    let near = try await dial(listener)
    return Pair(near: near, far: try await listener.accept(), listener: listener)
  }
}

/// Both ends of one connection: `near` dialled, `far` was accepted.
struct Pair: Sendable {
  let near: any Connection
  let far: any Connection
  let listener: any Listener

  func close() async {
    async let first: Void = near.close()
    async let second: Void = far.close()
    _ = await (first, second)
    await listener.close()
  }
}

/// One check of the contract, named by the requirement that it tests.
public struct ContractCheck: Sendable, CustomTestStringConvertible {
  /// What it checks, with the requirement's number.
  public let testDescription: String
  private let body: @Sendable (TransportSubject) async throws -> Void

  init(_ name: String, _ body: @escaping @Sendable (TransportSubject) async throws -> Void) {
    testDescription = name
    self.body = body
  }

  /// Runs it; failures are recorded as issues of the current test.
  public func run(on subject: TransportSubject) async throws {
    do {
      try await body(subject)
    } catch {
      await subject.end()
      throw error
    }
    await subject.end()
  }

  /// Every check.
  public static let all = transportChecks + listenerChecks + dataChecks + waitingChecks + closingChecks + channelChecks
}
