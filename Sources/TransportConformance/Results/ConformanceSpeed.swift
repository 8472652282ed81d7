internal import CheckIn
internal import CheckInCore

/// How fast a transport is, measured over one connection.
public struct ConformanceSpeed: Hashable, Sendable {
  /// Strict rounds of 64 bytes there and back, each second.
  public let roundTripsPerSecond: Double
  /// Bytes that went one way, each second.
  public let bytesPerSecond: Double

  /// Figures.
  public init(roundTripsPerSecond: Double, bytesPerSecond: Double) {
    self.roundTripsPerSecond = roundTripsPerSecond
    self.bytesPerSecond = bytesPerSecond
  }

  /// Measures for about `time` each; nil where no connection can be made or it fails.
  public static func measured(
    on subject: ConformanceSubject, time: Duration = .milliseconds(500)
  ) async -> ConformanceSpeed? {
    let run = ConformanceRun(subject)
    defer { Task { await run.cleanUp() } }
    guard let pair = try? await run.pair(), let rounds = try? await rounds(pair, time, run),
      let bytes = try? await bytes(pair, time, run)
    else { return nil }
    try? await run.close(pair)
    return ConformanceSpeed(roundTripsPerSecond: rounds, bytesPerSecond: bytes)
  }

  private static func rounds(_ pair: Pair, _ time: Duration, _ run: ConformanceRun) async throws -> Double {
    let message = pattern(64)
    let stop = pattern(1)
    let echo = Task {
      while case let bytes = try await run.receive(pair.far, atMost: 64), bytes.count == 64 {
        try await run.send(pair.far, bytes)
      }
    }
    let start = ContinuousClock.now
    var count = 0
    repeat {
      try await run.send(pair.near, message)
      _ = try await run.receive(pair.near, exactly: 64)
      count += 1
    } while start.duration(to: .now) < time
    let passed = start.duration(to: .now)
    try await run.send(pair.near, stop)
    try await echo.value
    return Double(count) / (passed / .seconds(1))
  }

  private static func bytes(_ pair: Pair, _ time: Duration, _ run: ConformanceRun) async throws -> Double {
    let block = pattern(256 * 1024)
    let start = ContinuousClock.now
    let sending = Task {
      repeat { try await run.send(pair.near, block) } while start.duration(to: .now) < time
      await pair.near.close()
    }
    var received = 0
    var queue = ByteQueue()
    while case .bytes(let count) = try await run.receive(pair.far, into: &queue) {
      received += count
      queue.drop(queue.count)
    }
    try await sending.value
    return Double(received) / (start.duration(to: .now) / .seconds(1))
  }
}

extension ConformanceRun {
  /// A message of `atMost` bytes, or the single byte that ends the measurement.
  fileprivate func receive(_ connection: any Connection, atMost: Int) async throws -> [UInt8] {
    var queue = ByteQueue()
    while queue.count < atMost {
      guard try await receive(connection, into: &queue) != .finished, queue.count != 1 else { break }
    }
    return queue.take(queue.count)
  }
}
