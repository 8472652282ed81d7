internal import CPeers
internal import CheckIn
internal import Scene
internal import SocketIO

/// How large the large messages are: as large as a frame's body may be.
let largeMessage = 65_536

extension Workload {
  /// Messages one way over TCP from another process, one thread each: from the first that arrives to the last.
  static let streams = [
    Workload("stream") { count in try await receive(count, from: "stream") },
    Workload("stream-one-by-one") { count in try await receive(count, from: "stream-one-by-one") },
    Workload("stream-nng") { count in
      let peer = PeerProcess("stream-nng", count)
      // Unsafe: see PeerProcess.
      return try judged(unsafe peer { unsafe nng_pull(smallMessage, count, $0, $1) })
    },
    Workload("stream-zmq") { count in
      let peer = PeerProcess("stream-zmq", count)
      // Unsafe: see PeerProcess.
      return try judged(unsafe peer { unsafe zmq_pull(smallMessage, count, $0, $1) })
    },
    Workload("large-stream") { count in try await receive(count, from: "large-stream") },
    Workload("large-stream-raw") { count in
      var port: UInt16 = 0
      // Unsafe: C writes the port.
      let listener = unsafe raw_listen(&port)
      let child = try Child.start(["serve", "large-stream-raw", "\(port)", "\(count)"])
      defer { withExtendedLifetime(child) {} }
      return try judged(raw_receive(listener, largeMessage, count))
    },
  ]

  private static func receive(_ count: Int, from part: String) async throws -> Double {
    let (listener, _) = try await Line.listen()
    let child = try Child.start(["serve", part, "\(listener.endpoint.port)", "\(count)"])
    defer { withExtendedLifetime(child) {} }
    let channel = MessageChannel(try await listener.accept())
    return try await Line.onLoop(of: channel) {
      guard try await channel.receive() != nil else { throw BenchmarkError("No message came.") }
      let watch = Stopwatch()
      for _ in 1..<count {
        guard try await channel.receive() != nil else { throw BenchmarkError("A message did not come.") }
      }
      return watch.nanoseconds(each: count - 1)
    }
  }
}

extension Part {
  /// They send, one message after the other; ours also in batches, as ZeroMQ and NNG do behind their interfaces.
  static let streamParts = [
    Part("stream") { port, count in
      let channel = MessageChannel(try await Line.connect(to: port))
      try await Line.onLoop(of: channel) {
        let batch = [[UInt8]](repeating: [UInt8](repeating: 7, count: smallMessage), count: 128)
        for start in stride(from: 0, to: count, by: batch.count) {
          try await channel.send(contentsOf: start + batch.count > count ? Array(batch[..<(count - start)]) : batch)
        }
        await channel.close()
      }
    },
    Part("stream-one-by-one") { port, count in try await send(count, smallMessage, to: port) },
    Part("stream-nng") { port, count in _ = nng_push(port, smallMessage, count) },
    Part("stream-zmq") { port, count in _ = zmq_push(port, smallMessage, count) },
    Part("large-stream") { port, count in try await send(count, largeMessage, to: port) },
    Part("large-stream-raw") { port, count in _ = raw_send(port, largeMessage, count) },
  ]

  private static func send(_ count: Int, _ size: Int, to port: UInt16) async throws {
    let channel = MessageChannel(try await Line.connect(to: port))
    try await Line.onLoop(of: channel) {
      let message = [UInt8](repeating: 7, count: size)
      for _ in 0..<count { try await channel.send(message) }
      await channel.close()
    }
  }
}
