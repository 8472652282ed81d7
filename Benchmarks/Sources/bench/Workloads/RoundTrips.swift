internal import CPeers
internal import CheckIn
internal import SocketIO
internal import TCPTransport

/// How large the small messages are.
let smallMessage = 64

extension Workload {
  /// A framed message of 64 bytes there and back, over TCP between two processes, one thread each.
  static let roundTrips = [
    Workload("round-trip") { count in
      let (listener, _) = try await Line.listen()
      let child = try Child.start(["serve", "round-trip", "\(listener.endpoint.port)", "\(count)"])
      defer { withExtendedLifetime(child) {} }
      let channel = MessageChannel(try await listener.accept())
      return try await Line.onLoop(of: channel) { try await Line.roundTrips(count, over: channel) }
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
}

extension Part {
  /// They send back what comes.
  static let roundTripParts = [
    Part("round-trip") { port, _ in
      let channel = MessageChannel(try await Line.connect(to: port))
      try await Line.onLoop(of: channel) {
        while let message = try? await channel.receive() { try await channel.send(message) }
      }
    },
    Part("round-trip-raw") { port, _ in _ = raw_echo(port, smallMessage) },
    Part("round-trip-nng") { port, _ in _ = nng_echo(port) },
    Part("round-trip-zmq") { port, _ in _ = zmq_echo(port, smallMessage) },
  ]
}
