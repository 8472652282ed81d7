public import CheckIn
internal import CheckInCore
public import Testing

/// Bytes without an order, made once: making them anew for each check takes longer than the checks.
private let noise: [UInt8] = {
  var state: UInt64 = 1
  return (0..<300_007).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8(truncatingIfNeeded: state >> 56)
  }
}()

/// Bytes that differ from place to place, and from seed to seed.
public func pattern(_ count: Int, seed: Int = 0) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count)
  var start = (seed &* 7_919) % noise.count
  while bytes.count < count {
    let end = min(noise.count, start + count - bytes.count)
    bytes += noise[start..<end]
    start = 0
  }
  return bytes
}

/// Records an issue unless the call throws a transport error with one of the codes.
public func expectError<Value>(
  _ codes: TransportError.Code..., sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Value
) async {
  do {
    let value = try await body()
    Issue.record("expected \(codes), got \(value)", sourceLocation: sourceLocation)
  } catch let error as TransportError {
    #expect(codes.contains(error.code), "\(error)", sourceLocation: sourceLocation)
    #expect(!error.message.isEmpty, sourceLocation: sourceLocation)
  } catch {
    Issue.record("expected a TransportError, got \(error)", sourceLocation: sourceLocation)
  }
}

extension Connection {
  /// So many bytes, however they come.
  public func receive(exactly count: Int) async throws -> [UInt8] {
    var queue = ByteQueue()
    while queue.count < count {
      guard case .bytes(let added) = try await receive(into: &queue, before: .now + .seconds(30)) else {
        throw TransportError(.lost, "the stream ended after \(queue.count) of \(count) bytes")
      }
      try #require(added > 0)
    }
    try #require(queue.count == count, "more arrived than was sent")
    return queue.take(count)
  }

  /// Everything up to the peer's good end.
  public func receiveAll() async throws -> [UInt8] {
    var queue = ByteQueue()
    while true {
      let before = queue.count
      guard case .bytes(let added) = try await receive(into: &queue, before: .now + .seconds(30)) else { break }
      try #require(queue.count == before + added, "the count is not what was added")
    }
    return queue.take(queue.count)
  }

  /// One call, with a queue of its own.
  public func receiveOnce(before deadline: Deadline? = .now + .seconds(30)) async throws -> Reception {
    var queue = ByteQueue()
    return try await receive(into: &queue, before: deadline)
  }

  /// Sends bytes within half a minute.
  public func send(_ bytes: [UInt8]) async throws(TransportError) {
    try await send(bytes, before: .now + .seconds(30))
  }
}
