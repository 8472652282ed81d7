internal import CPeers
internal import CheckIn
internal import SocketIO
internal import TCPTransport

/// How large the small messages are.
let smallMessage = 64

/// For how long loops poll that are asked to; see ``EventLoopGroup/init(count:busyPoll:)``.
private let busyPoll = Duration.microseconds(200)

extension Workload {
  /// A framed message of 64 bytes there and back, over TCP between two processes, one thread each.
  static let roundTrips = [
    Workload("round-trip") { count in try await roundTrips(count, with: "round-trip") },
    Workload("round-trip-polling") { count in
      try await roundTrips(count, with: "round-trip-polling", busyPoll: busyPoll)
    },
    Workload("round-trip-raw") { count in
      var port: UInt16 = 0
      // Unsafe: C writes the port.
      let listener = unsafe raw_listen(&port)
      let child = try Child.start(["serve", "round-trip-raw", "\(port)", "\(count)"])
      defer { withExtendedLifetime(child) {} }
      return try judged(raw_round_trip(listener, smallMessage, count))
    },
    Workload("round-trip-nng") { count in
      let peer = PeerProcess("round-trip-nng", count)
      // Unsafe: see PeerProcess.
      return try judged(unsafe peer { unsafe nng_round_trip(smallMessage, count, $0, $1) })
    },
    Workload("round-trip-zmq") { count in
      let peer = PeerProcess("round-trip-zmq", count)
      // Unsafe: see PeerProcess.
      return try judged(unsafe peer { unsafe zmq_round_trip(smallMessage, count, $0, $1) })
    },
  ]

  private static func roundTrips(
    _ count: Int, with part: String, busyPoll: Duration = .zero
  ) async throws -> Double {
    let (listener, _) = try await Line.listen(busyPoll: busyPoll)
    let child = try Child.start(["serve", part, "\(listener.endpoint.port)", "\(count)"])
    defer { withExtendedLifetime(child) {} }
    let channel = MessageChannel(try await listener.accept())
    return try await Line.onLoop(of: channel) { try await Line.roundTrips(count, over: channel) }
  }
}

extension Part {
  /// They send back what comes.
  static let roundTripParts = [
    Part("round-trip") { port, _ in try await echo(over: Line.connect(to: port)) },
    Part("round-trip-polling") { port, _ in try await echo(over: Line.connect(to: port, busyPoll: busyPoll)) },
    Part("round-trip-raw") { port, _ in _ = raw_echo(port, smallMessage) },
    Part("round-trip-nng") { port, _ in _ = nng_echo(port) },
    Part("round-trip-zmq") { port, _ in _ = zmq_echo(port, smallMessage) },
  ]

  private static func echo(over connection: any Connection) async throws {
    let channel = MessageChannel(connection)
    try await Line.onLoop(of: channel) {
      while let message = try? await channel.receive() { try await channel.send(message) }
    }
  }
}
