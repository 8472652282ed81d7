internal import CPeers
internal import CheckIn
internal import CheckInCore
internal import InMemoryTransport
internal import Scene
internal import SocketIO
internal import TLSTransport

extension Workload {
  /// Mutual TLS 1.3 over memory, both sides in one thread.
  static let encrypted = [
    Workload("tls-stream") { count in
      try await TLSLine.open { line in
        let (near, far) = try await line.connection()
        let sender = Task(executorPreference: near.executor) {
          let message = [UInt8](repeating: 7, count: largeMessage)
          for _ in 0..<count + count / 10 { try await near.send(message, before: nil) }
        }
        let watch = try await Task(executorPreference: far.executor) {
          var queue = ByteQueue()
          try await take(count / 10, from: far, &queue)
          let watch = Stopwatch(.worked)
          try await take(count, from: far, &queue)
          return watch.nanoseconds(each: count)
        }.value
        try await sender.value
        near.abort()
        far.abort()
        return watch
      }
    },
    Workload("tls-stream-openssl") { count in
      try await alone { identities in
        // Unsafe: see TLSIdentities.
        try unsafe identities.call { unsafe tls_stream($0, $1, $2, $2.count, largeMessage, count) }
      }
    },
    Workload("handshake") { count in
      try await TLSLine.open { line in
        try await handshakes(count / 10, over: line)
        let watch = Stopwatch(.worked)
        try await handshakes(count, over: line)
        return watch.nanoseconds(each: count)
      }
    },
    Workload("handshake-openssl") { count in
      try await alone { identities in
        // Unsafe: see TLSIdentities.
        try unsafe identities.call { unsafe tls_handshakes($0, $1, $2, $2.count, count) }
      }
    },
  ]

  /// Runs OpenSSL alone where ours runs, in a thread beside the main one: the system's heap is slower for it than in a
  /// process with a single thread, for both.
  private static func alone(_ body: @escaping @Sendable (TLSIdentities) throws -> Double) async throws -> Double {
    let loops = try EventLoopGroup(count: 1)
    let each = try await Task(executorPreference: loops.loops[0]) { try body(TLSIdentities()) }.value
    await loops.shutdown()
    return each
  }

  private static func take(_ count: Int, from connection: any Connection, _ queue: inout ByteQueue) async throws {
    var left = count * largeMessage
    while left > 0 {
      guard case .bytes(let arrived) = try await connection.receive(into: &queue, before: nil) else {
        throw BenchmarkError("The stream ended too early.")
      }
      left -= arrived
      queue.drop(queue.count)
    }
  }

  private static func handshakes(_ count: Int, over line: TLSLine) async throws {
    for _ in 0..<count {
      let (near, far) = try await line.connection()
      near.abort()
      far.abort()
    }
  }
}

/// TLS over memory on one loop.
struct TLSLine: Sendable {
  private let transport: any Transport
  private let listener: any Listener

  /// Runs `body` on the loop.
  static func open<Value: Sendable>(_ body: @escaping @Sendable (TLSLine) async throws -> Value) async throws -> Value {
    let loops = try EventLoopGroup(count: 1)
    let value = try await Task(executorPreference: loops.loops[0]) {
      let transport = try TLSIdentities().wrapper().wrap(
        InMemoryTransport(executor: loops.loops[0], capacity: 2 * largeMessage))
      let line = TLSLine(
        transport: transport, listener: try await transport.listen(on: Endpoint("tls+memory://0")))
      let value = try await body(line)
      await line.listener.close()
      return value
    }.value
    await loops.shutdown()
    return value
  }

  /// Both ends of a new connection.
  func connection() async throws -> (near: any Connection, far: any Connection) {
    let near = try await transport.connect(to: listener.endpoint, before: .now + .seconds(30))
    return (near, try await listener.accept())
  }
}
