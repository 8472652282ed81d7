internal import CheckIn
internal import Scene
internal import SocketIO
internal import TCPTransport

/// A TCP line on loopback with one event loop at each end, and what is sent over it.
enum Line {
  /// A listener at a port that the system chose, and its loop.
  static func listen(busyPoll: Duration = .zero) async throws -> (listener: any Listener, loops: EventLoopGroup) {
    let loops = try EventLoopGroup(count: 1, busyPoll: busyPoll)
    return (try await TCPTransport(loops: loops).listen(on: Endpoint("tcp://127.0.0.1:0")), loops)
  }

  /// A connection to that port.
  static func connect(to port: UInt16, busyPoll: Duration = .zero) async throws -> any Connection {
    try await TCPTransport(loops: EventLoopGroup(count: 1, busyPoll: busyPoll)).connect(
      to: Endpoint("tcp://127.0.0.1:\(port)"), before: .now + .seconds(10))
  }

  /// Runs the task where the channel's connection lives, as a kiosk's and an attendee's tasks do.
  static func onLoop<Value: Sendable>(
    of channel: MessageChannel, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await Task(executorPreference: channel.executor, operation: body).value
  }

  /// So many round trips after a warm-up of a tenth: nanoseconds each.
  static func roundTrips(_ count: Int, over channel: MessageChannel) async throws -> Double {
    let message = [UInt8](repeating: 7, count: smallMessage)
    try await exchange(message, count / 10, over: channel)
    let watch = Stopwatch()
    try await exchange(message, count, over: channel)
    return watch.nanoseconds(each: count)
  }

  private static func exchange(_ message: [UInt8], _ count: Int, over channel: MessageChannel) async throws {
    for _ in 0..<count {
      try await channel.send(message)
      guard let answer = try await channel.receive(), answer.count == message.count else {
        throw BenchmarkError("An answer did not come back as it went.")
      }
    }
  }
}

extension Endpoint {
  /// The port of a TCP endpoint, as text.
  var port: Substring { address.split(separator: ":").last ?? "" }
}
