internal import CheckIn
internal import InMemoryTransport
internal import SocketIO
internal import TCPTransport

extension Counting {
  /// A frame of 64 bytes, sent by one side and received by the other, in memory. Everything on one loop.
  static let memoryFrame = frame("frame-memory", "memory://0") { InMemoryTransport(executor: $0.loops[0]) }

  /// The same over TCP.
  static let tcpFrame = frame("frame-tcp", "tcp://127.0.0.1:0") { TCPTransport(loops: $0) }

  private static func frame(
    _ name: String, _ address: String, over transport: @escaping @Sendable (EventLoopGroup) -> any Transport
  ) -> Counting {
    Counting(name, count: 100) { isSpoiled, body in
      let loops = try EventLoopGroup(count: 1)
      let transport = transport(loops)
      let listener = try await transport.listen(on: Endpoint(address))
      let near = MessageChannel(try await transport.connect(to: listener.endpoint, before: .now + .seconds(10)))
      let far = MessageChannel(try await listener.accept())
      let echo = Task(executorPreference: far.executor) {
        while let message = try? await far.receive() { try await far.send(message) }
      }
      let cost = try await body { count in
        try await Task(executorPreference: near.executor) {
          let message = [UInt8](repeating: 7, count: 64)
          // There and back are two frames.
          for _ in 0..<count / 2 {
            _ = Spoil.one(isSpoiled)
            _ = Spoil.one(isSpoiled)
            try await near.send(message)
            guard try await near.receive() == message else {
              throw TransportError(.malformed, "Another message came back.")
            }
          }
        }.value
      }
      await near.close()
      _ = try? await echo.value
      await listener.close()
      await loops.shutdown()
      return cost
    }
  }
}
