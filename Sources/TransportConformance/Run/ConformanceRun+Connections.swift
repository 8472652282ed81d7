internal import CheckIn
internal import CheckInCore

/// Both ends of one connection: `near` dialled, `far` was accepted.
struct Pair: Sendable {
  let near: any Connection
  let far: any Connection
  let listener: any Listener
}

extension ConformanceRun {
  var transport: any Transport { WatchedTransport(base: subject.transport, watch: watch) }

  func has(_ capability: TransportCapabilities) -> Bool { transport.capabilities.contains(capability) }

  /// A listener at a fresh address.
  func listen(file: String = #fileID, line: Int = #line) async throws -> any Listener {
    try await listen(on: subject.addresses.fresh(), file: file, line: line)
  }

  func listen(on endpoint: Endpoint, file: String = #fileID, line: Int = #line) async throws -> any Listener {
    let transport = transport
    let listener = try await value(of: "listening at \(endpoint)", file: file, line: line) {
      try await transport.listen(on: endpoint)
    }
    keep(listener)
    return listener
  }

  func dial(_ listener: any Listener, file: String = #fileID, line: Int = #line) async throws -> any Connection {
    let (transport, endpoint, deadline) = (transport, listener.endpoint, deadline)
    let connection = try await value(
      of: "dialling the listener at \(endpoint)", within: .seconds(10), file: file, line: line
    ) { try await transport.connect(to: endpoint, before: deadline) }
    keep(connection)
    return connection
  }

  func accept(_ listener: any Listener, file: String = #fileID, line: Int = #line) async throws -> any Connection {
    let connection = try await value(of: "accepting at \(listener.endpoint)", file: file, line: line) {
      try await listener.accept()
    }
    keep(connection)
    return connection
  }

  /// A connection, with a listener of its own.
  func pair(file: String = #fileID, line: Int = #line) async throws -> Pair {
    try await pair(at: listen(file: file, line: line), file: file, line: line)
  }

  func pair(at listener: any Listener, file: String = #fileID, line: Int = #line) async throws -> Pair {
    let near = try await dial(listener, file: file, line: line)
    return Pair(near: near, far: try await accept(listener, file: file, line: line), listener: listener)
  }

  /// Closes both ends at once, and the listener.
  func close(_ pair: Pair, file: String = #fileID, line: Int = #line) async throws {
    try await closeEnds(pair, file: file, line: line)
    try await value(of: "closing a listener", file: file, line: line) { await pair.listener.close() }
  }

  /// Closes both ends at once.
  func closeEnds(_ pair: Pair, file: String = #fileID, line: Int = #line) async throws {
    try await value(of: "closing both ends of a connection", within: .seconds(12), file: file, line: line) {
      async let first: Void = pair.near.close()
      async let second: Void = pair.far.close()
      _ = await (first, second)
    }
  }

  /// One new connection at the listener carries something each way; `what` says why it should.
  func exchange(at listener: any Listener, _ what: String, file: String = #fileID, line: Int = #line) async throws {
    step("an exchange \(what)")
    let pair = try await pair(at: listener, file: file, line: line)
    try await exchange(pair, what, file: file, line: line)
    try await closeEnds(pair, file: file, line: line)
  }

  /// The connection carries something each way; `what` says why it should.
  func exchange(_ pair: Pair, _ what: String, file: String = #fileID, line: Int = #line) async throws {
    for (from, to, text) in [(pair.near, pair.far, "there"), (pair.far, pair.near, "back")] {
      try await send(from, Array(text.utf8), file: file, line: line)
      let bytes = try await receive(to, exactly: text.utf8.count, file: file, line: line)
      expect(bytes, are: Array(text.utf8), "an exchange \(what)", file: file, line: line)
    }
  }

  // MARK: Bytes

  func send(
    _ connection: any Connection, _ bytes: [UInt8], file: String = #fileID, line: Int = #line
  ) async throws {
    do throws(TransportError) {
      try await connection.send(bytes, before: deadline)
    } catch {
      record(expected: "sending \(bytes.count) bytes to work", happened: "it threw \(error)", file: file, line: line)
      throw Stop()
    }
  }

  /// So many bytes, however they come.
  func receive(
    _ connection: any Connection, exactly count: Int, file: String = #fileID, line: Int = #line
  ) async throws -> [UInt8] {
    var queue = ByteQueue()
    while queue.count < count {
      let reception = try await receive(connection, into: &queue, file: file, line: line)
      try require(
        reception != .finished, "\(count) bytes", "the stream ended after \(queue.count)", file: file, line: line)
    }
    try require(queue.count == count, "\(count) bytes", "\(queue.count) arrived", file: file, line: line)
    return queue.take(count)
  }

  /// Everything up to the peer’s good end.
  func receiveAll(_ connection: any Connection, file: String = #fileID, line: Int = #line) async throws -> [UInt8] {
    var queue = ByteQueue()
    while try await receive(connection, into: &queue, file: file, line: line) != .finished {}
    return queue.take(queue.count)
  }

  /// One call, which should answer; the count that it gives is compared with what was added.
  @discardableResult
  func receive(
    _ connection: any Connection, into queue: inout ByteQueue, file: String = #fileID, line: Int = #line
  ) async throws -> Reception {
    let before = queue.count
    let reception: Reception
    do throws(TransportError) {
      reception = try await connection.receive(into: &queue, before: deadline)
    } catch {
      record(
        expected: "more bytes or the end, after \(before) bytes", happened: "receiving threw \(error)", file: file,
        line: line)
      throw Stop()
    }
    let added = queue.count - before
    switch reception {
    case .finished:
      try require(added == 0, "no bytes with the end", "\(added) were added", file: file, line: line)
    case .bytes(let count):
      try require(
        count == added && count > 0, "a count of what was added, at least 1",
        "it says \(count), and \(added) were added", file: file, line: line)
    }
    return reception
  }

  /// One call with a queue of its own, which should answer.
  func receiveOnce(
    _ connection: any Connection, file: String = #fileID, line: Int = #line
  ) async throws -> Reception {
    var queue = ByteQueue()
    return try await receive(connection, into: &queue, file: file, line: line)
  }

  /// Sends until the transport takes no more, and answers what it has taken, and what it may still take.
  func fill(
    _ connection: any Connection, chunk: Int = 100_000, seed: Int = 0, file: String = #fileID, line: Int = #line
  ) async throws -> (certain: [UInt8], open: [UInt8]) {
    step("sending to a peer that does not read")
    var taken: [UInt8] = []
    while taken.count < ConformanceRun.mostBuffered {
      let bytes = pattern(chunk, seed: seed + taken.count / chunk)
      do throws(TransportError) {
        try await connection.send(bytes, before: after(.milliseconds(50)))
        taken += bytes
      } catch {
        try require(
          error.code == .timedOut, "a send to a peer that does not read waits, and throws timed_out",
          "it threw \(error)", file: file, line: line)
        return (taken, bytes)
      }
    }
    record(
      expected: "a send to a peer that does not read waits, so that memory stays bounded",
      happened: "\(taken.count) bytes were taken", file: file, line: line)
    throw Stop()
  }

  /// More than any system keeps for one connection.
  static let mostBuffered = 64 << 20

  // MARK: Tasks

  /// A call in a task of its own that has begun to wait, as far as one can tell from outside: it has run up to its
  /// first suspension, and others have had their turn. What is checked with it must hold in either case.
  func begun<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async -> Task<Value, any Error> {
    let task = Task.immediate { try await body() }
    for _ in 0..<4 { await Task.yield() }
    return task
  }

  /// What the call answers in a task that is cancelled before it begins.
  func alreadyCancelled<Value: Sendable>(
    _ what: String, file: String = #fileID, line: Int = #line, _ body: @escaping @Sendable () async throws -> Value
  ) async -> Result<Value, any Error>? {
    await outcome(of: what, file: file, line: line) {
      // Unsafe: the reference is to the task that runs this.
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      return try await body()
    }
  }

  /// Whether no more than `limit` resources are open, at once or soon.
  func resourcesSettle(at limit: Int) async -> Bool {
    let end = deadline
    while subject.openResources() > limit {
      guard .now < end else { return false }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return true
  }
}

extension Connection {
  /// One call with a queue of its own, whose bytes nobody needs.
  func receive(before deadline: Deadline?) async throws(TransportError) -> Reception {
    var queue = ByteQueue()
    return try await receive(into: &queue, before: deadline)
  }
}
