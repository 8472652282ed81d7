internal import CheckIn
internal import CheckInCore

/// The size of one message of a round trip, and of one send of a stream.
private enum Size {
  static let message = 64
  static let chunk = 16_384
}

/// Until when all has to be done. A deadline costs nothing to keep, and a clock to make.
private let patience = Deadline.now + .seconds(500)

/// Sends messages back, and takes a stream; see speed.c for what is said.
enum SpeedServer {
  static func serve(_ connection: any Connection) async throws {
    try await onLoop(of: connection) {
      var stream = ByteStream(connection)
      let wanted = try await stream.take(8)
      let (rounds, count) = (number(wanted[..<4]), number(wanted[4...]))
      for _ in 0..<rounds { try await connection.send(stream.take(Size.message), before: patience) }
      try await stream.skip(count)
      try await connection.send([0], before: patience)
      try await stream.end()
    }
    await connection.close()
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// Measures.
enum SpeedDialler {
  /// Nanoseconds per round trip, and bytes per second.
  static func measure(
    _ connection: any Connection, rounds: UInt32, bytes: UInt32
  ) async throws -> (round: Int64, speed: Int64) {
    try await onLoop(of: connection) {
      var stream = ByteStream(connection)
      try await connection.send(little(rounds) + little(bytes), before: patience)
      let message = [UInt8](repeating: 7, count: Size.message)
      let start = ContinuousClock.now
      for _ in 0..<rounds {
        try await connection.send(message, before: patience)
        _ = try await stream.take(Size.message)
      }
      let middle = ContinuousClock.now
      let chunk = [UInt8](repeating: 7, count: Size.chunk)
      var left = Int(bytes)
      while left > 0 {
        let size = min(left, Size.chunk)
        try await connection.send(size == Size.chunk ? chunk : Array(chunk[..<size]), before: patience)
        left -= size
      }
      _ = try await stream.take(1)
      let end = ContinuousClock.now
      await connection.close()
      return (
        (middle - start).nanoseconds / Int64(max(1, rounds)),
        Int64(Double(bytes) * 1e9 / Double(max(1, (end - middle).nanoseconds)))
      )
    }
  }

  private static func little(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}

/// What arrives, in the pieces that are asked for.
private struct ByteStream {
  private let connection: any Connection
  private var queue = ByteQueue()

  init(_ connection: any Connection) {
    self.connection = connection
  }

  /// The next bytes, all of them.
  mutating func take(_ count: Int) async throws -> [UInt8] {
    while queue.count < count { try await more() }
    return queue.take(count)
  }

  /// Throws so many bytes away.
  mutating func skip(_ count: Int) async throws {
    var left = count
    while left > 0 {
      if queue.isEmpty { try await more() }
      let size = min(left, queue.count)
      queue.drop(size)
      left -= size
    }
  }

  /// Waits for the peer's end.
  mutating func end() async throws {
    guard case .finished = try await connection.receive(into: &queue, before: patience) else {
      throw TransportError(.other, "The peer has sent more than was asked for.")
    }
  }

  private mutating func more() async throws {
    guard case .bytes = try await connection.receive(into: &queue, before: patience) else {
      throw TransportError(.other, "The peer has ended too early.")
    }
  }
}

/// Runs on the connection's loop, as kiosks and attendees do.
private func onLoop<Value: Sendable>(
  of connection: any Connection, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await Task(executorPreference: connection.executor, operation: body).value
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
