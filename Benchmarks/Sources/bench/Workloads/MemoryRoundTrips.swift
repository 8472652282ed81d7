internal import CPeers
internal import CheckIn
internal import InMemoryTransport
internal import SocketIO

extension Workload {
  /// A framed message of 64 bytes there and back inside one process.
  static let memoryRoundTrips = [
    // Both ends on one loop, in one thread.
    Workload("memory-round-trip") { count in
      let loops = try EventLoopGroup(count: 1)
      let transport = InMemoryTransport(executor: loops.loops[0])
      let listener = try await transport.listen(on: Endpoint("memory://0"))
      let near = MessageChannel(try await transport.connect(to: listener.endpoint, before: nil))
      let far = MessageChannel(try await listener.accept())
      let echo = Task(executorPreference: far.executor) {
        while let message = try? await far.receive() { try await far.send(message) }
      }
      let each = try await Line.onLoop(of: near) { try await Line.roundTrips(count, over: near) }
      await near.close()
      _ = try? await echo.value
      await loops.shutdown()
      return each
    },
    // They have threads of their own, and may use both cores.
    Workload("memory-round-trip-nng", on: .two) { count in
      try judged(nng_round_trip_in_process(smallMessage, count))
    },
    Workload("memory-round-trip-zmq", on: .two) { count in
      try judged(zmq_round_trip_in_process(smallMessage, count))
    },
  ]
}
