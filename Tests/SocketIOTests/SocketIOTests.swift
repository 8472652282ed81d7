internal import CLinux
internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import SocketIO
internal import Synchronization
internal import TestSupport
internal import Testing

/// Two ends of a connected Unix socket, one of them a connection.
struct SocketPair: ~Copyable {
  let connection: SocketConnection
  let other: Descriptor

  init(
    _ loops: EventLoopGroup, traits: SocketTraits = SocketTraits(), type: Int32 = Int32(SOCK_STREAM.rawValue)
  ) throws {
    var numbers: (Int32, Int32) = (-1, -1)
    // Unsafe: C writes two numbers.
    let result = unsafe withUnsafeMutableBytes(of: &numbers) { memory in
      unsafe socketpair(
        AF_UNIX, type | Int32(SOCK_NONBLOCK.rawValue), 0,
        memory.assumingMemoryBound(to: Int32.self).baseAddress)
    }
    guard result == 0 else { throw SystemError(errno) }
    let first = Descriptor(owning: numbers.0)
    let second = Descriptor(owning: numbers.1)
    guard let peer = SocketAddress(ofPeerOf: first) else { throw SystemError(ENOTCONN) }
    let endpoint = Endpoint(scheme: "pair", address: "x")
    connection = try SocketConnection(first, peer: peer, loops: loops, traits: traits) { _, _ in (endpoint, endpoint) }
    other = consume second
  }

  /// Opens one on a loop of its own for the time of `body`, and ends both after it.
  static func with(
    traits: SocketTraits = SocketTraits(), type: Int32 = Int32(SOCK_STREAM.rawValue),
    _ body: (borrowing SocketPair) async throws -> Void
  ) async throws {
    let loops = try EventLoopGroup(count: 1)
    let pair = try SocketPair(loops, traits: traits, type: type)
    try await body(pair)
    pair.connection.abort()
    await loops.shutdown()
  }

  /// Closes the other end's socket: another file takes its number, which stays ours to close.
  func closeOther() {
    let placeholder = eventfd(0, 0)
    _ = dup2(placeholder, other.number)
    close(placeholder)
  }
}

@Suite("Event loops", .timeLimit(.minutes(1)))
struct EventLoopTests {
  @Test("tasks that prefer a loop run on its thread, and come back to it after a wait")
  func runsTasks() async throws {
    let loops = try EventLoopGroup(count: 2)
    for loop in loops.loops {
      let isAlwaysThere = await Task(executorPreference: loop) {
        var isThere = loop.isCurrent
        for _ in 0..<10 {
          await Task.yield()
          isThere = isThere && loop.isCurrent
        }
        try? await Task.sleep(for: .milliseconds(2))
        return isThere && loop.isCurrent
      }.value
      #expect(isAlwaysThere)
      #expect(!loop.isCurrent)
    }
    await loops.shutdown()
  }

  @Test("loops take turns")
  func takesTurns() async throws {
    let loops = try EventLoopGroup(count: 3)
    let turns = (0..<9).map { _ in ObjectIdentifier(loops.next()) }
    #expect(turns[3...] == turns[..<6])
    #expect(Set(turns).count == 3)
    await loops.shutdown()
  }

  @Test("a task that serves a connection is woken on the connection's loop")
  func wakesOnLoop() async throws {
    let loops = try EventLoopGroup(count: 2)
    let pair = try SocketPair(loops)
    let connection = pair.connection
    let loop = try #require(connection.executor as? EventLoop)
    let (received, continuation) = AsyncStream.makeStream(of: Bool.self)
    let serving = Task(executorPreference: loop) {
      var queue = ByteQueue()
      for _ in 0..<5 {
        guard case .bytes(1) = try await connection.receive(into: &queue, before: .now + .seconds(20)) else { break }
        continuation.yield(loop.isCurrent)
      }
      continuation.finish()
    }
    var iterator = received.makeAsyncIterator()
    for byte in UInt8(0)..<5 {
      #expect(write(pair.other.number, [byte]) == 1)
      let isOnLoop = await iterator.next()
      #expect(isOnLoop == true)
    }
    try await serving.value
    await connection.close()
    await loops.shutdown()
  }

  @Test("shutdown ends threads and waits, may be called often, and from a loop of its own")
  func shutsDown() async throws {
    let loops = try EventLoopGroup(count: 2)
    let pair = try SocketPair(loops)
    let connection = pair.connection
    let waiting = Task { try await connection.receiveOnce() }
    try await Task.sleep(for: .milliseconds(5))
    let loop = loops.loops[0]
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { await loops.shutdown() } }
      group.addTask(executorPreference: loop) { await loops.shutdown() }
    }
    await loops.shutdown()
    let result = await waiting.result
    await expectError(.closed) { try result.get() }
    await expectError(.closed) { try await connection.send([1]) }
    await connection.close()
    // A task that prefers a loop that has ended still runs.
    #expect(await Task(executorPreference: loop) { 5 }.value == 5)
    #expect(throws: TransportError.self) { _ = try SocketPair(loops) }
  }

  @Test("deadlines pass in their order, and never early")
  func deadlinesPass() async throws {
    let loops = try EventLoopGroup(count: 1)
    let delays = [120, 20, 80, 50, 1]
    let pairs = try delays.map { _ in Kept(try SocketPair(loops)) }
    let start = ContinuousClock.now
    let order = await withTaskGroup(of: Int.self) { group in
      for (delay, pair) in zip(delays, pairs) {
        group.addTask(executorPreference: loops.loops[0]) {
          let deadline = start + .milliseconds(delay * 4)
          await expectError(.timedOut) { try await pair.connection.receiveOnce(before: deadline) }
          #expect(ContinuousClock.now >= deadline)
          return delay
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(order == delays.sorted())
    await loops.shutdown()
  }

  @Test("alarms of earlier waits do not end later ones")
  func staleAlarms() async throws {
    let loops = try EventLoopGroup(count: 1)
    let pair = try SocketPair(loops)
    for _ in 0..<10 {
      // Whether this one passes or not, its alarm stays behind.
      _ = try? await pair.connection.receiveOnce(before: .now + .milliseconds(10))
      let other = pair.other.number
      let writing = Task {
        try await Task.sleep(for: .milliseconds(20))
        return write(other, [1])
      }
      #expect(try await pair.connection.receiveOnce(before: .now + .seconds(50)) == .bytes(1))
      #expect(try await writing.value == 1)
    }
    let start = ContinuousClock.now
    await expectError(.timedOut) { try await pair.connection.receiveOnce(before: start + .milliseconds(400)) }
    #expect(start.duration(to: .now) >= .milliseconds(400))
    await loops.shutdown()
  }

  @Test("threads and descriptors go when nobody holds the group any more")
  func dropsThreads() async {
    await #expect(processExitsWith: .success) {
      // The first sleep starts the pool's own threads.
      try await Task.sleep(for: .milliseconds(20))
      let descriptors = openDescriptors()
      let before = runningThreads()
      do {
        let loops = try EventLoopGroup(count: 4)
        #expect(runningThreads() >= before + 4)
        let pair = try SocketPair(loops)
        let connection = pair.connection
        // The last reference goes on a loop's own thread.
        await Task(executorPreference: loops.loops[1]) { _ = connection.local }.value
      }
      let areGone = await becomesTrue { runningThreads() <= before + 1 && openDescriptors() <= descriptors }
      guard areGone else { exit(9) }
    }
  }
}

/// Holds a socket pair for as long as a closure lives.
final class Kept: Sendable {
  private let pair: SocketPair

  var connection: SocketConnection { pair.connection }

  init(_ pair: consuming SocketPair) {
    self.pair = pair
  }
}

func write(_ number: Int32, _ bytes: [UInt8]) -> Int {
  // Unsafe: C reads the bytes during the call.
  unsafe Glibc.write(number, bytes, bytes.count)
}
