internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import SocketIO
internal import TestSupport
internal import Testing

@Suite("Socket connections", .timeLimit(.minutes(1)))
struct SocketConnectionTests {
  /// What one receive says.
  private func end(of connection: SocketConnection) async throws -> Reception {
    var queue = ByteQueue()
    return try await connection.receive(into: &queue, before: .now + .seconds(10))
  }

  @Test("a largest write is kept to", arguments: [1, 7, 4_096])
  func cutsWrites(maximum: Int) async throws {
    let loops = try EventLoopGroup(count: 1)
    var traits = SocketTraits()
    traits.maximumWrite = maximum
    traits.shortReceiveDrains = false
    let pair = try SocketPair(loops, traits: traits)
    let peer = try SocketPair(loops, traits: traits)
    _ = consume peer
    let connection = pair.connection
    let bytes = pattern(20_000)
    async let sending: Void = connection.send(bytes)
    var received: [UInt8] = []
    while received.count < bytes.count {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      // Unsafe: C writes into the buffer during the call.
      let count = unsafe read(pair.other.number, &buffer, buffer.count)
      if count > 0 { received += buffer[..<count] } else { await Task.yield() }
    }
    try await sending
    #expect(received == bytes)
    await connection.close()
    await loops.shutdown()
  }

  @Test("over packets, each write is as large as the peer takes, and nothing is lost", arguments: [23, 100, 4_096])
  func splits(maximum: Int) async throws {
    let loops = try EventLoopGroup(count: 1)
    var traits = SocketTraits(hasHalfClose: false)
    traits.measureWrite = { _ in maximum }
    let pair = try SocketPair(loops, traits: traits, type: 5)
    let connection = pair.connection
    let bytes = pattern(3 * maximum + 1)
    async let sending: Void = connection.send(bytes)
    var sizes: [Int] = []
    var received: [UInt8] = []
    while received.count < bytes.count {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      // Unsafe: C writes into the buffer during the call.
      let count = unsafe read(pair.other.number, &buffer, buffer.count)
      guard count > 0 else {
        await Task.yield()
        continue
      }
      sizes.append(count)
      received += buffer[..<count]
    }
    try await sending
    #expect(received == bytes)
    #expect(sizes == [maximum, maximum, maximum, 1])
    await connection.close()
    await loops.shutdown()
  }

  @Test("a send on a connection that turns out not to be open says that it is lost")
  func notOpen() async throws {
    let loops = try EventLoopGroup(count: 1)
    var traits = SocketTraits(hasHalfClose: false)
    traits.measureWrite = { _ in nil }
    let pair = try SocketPair(loops, traits: traits)
    await expectError(.lost) { try await pair.connection.send([1]) }
    pair.connection.abort()
    await loops.shutdown()
  }

  @Test("a receive from a crowded connection rests first, then takes everything at once; its deadline holds")
  func rests() async throws {
    let loops = try EventLoopGroup(count: 1)
    var traits = SocketTraits()
    traits.isCrowded = { _ in true }
    traits.rest = .milliseconds(300)
    let pair = try SocketPair(loops, traits: traits)
    let bytes = pattern(100_000)
    // Unsafe: C reads the bytes during the call.
    #expect(unsafe write(pair.other.number, bytes, bytes.count) == bytes.count)
    var queue = ByteQueue()
    await expectError(.timedOut) { try await pair.connection.receive(into: &queue, before: .now + .milliseconds(20)) }
    #expect(queue.isEmpty)
    let start = ContinuousClock.now
    #expect(try await pair.connection.receive(into: &queue, before: nil) == .bytes(bytes.count))
    #expect(ContinuousClock.now - start >= .milliseconds(300))
    #expect(queue.take(bytes.count) == bytes)
    await pair.connection.close()
    await loops.shutdown()
  }

  @Test("a reset is a good end where the kind of socket says so, and a loss elsewhere", arguments: [true, false])
  func resets(mayBeEnd: Bool) async throws {
    let loops = try EventLoopGroup(count: 1)
    var traits = SocketTraits(hasHalfClose: false)
    traits.resetMayBeEnd = mayBeEnd
    let pair = try SocketPair(loops, traits: traits)
    let connection = pair.connection
    // A Unix socket that is closed over unread bytes is reset, and then at its end, as a Bluetooth channel always is.
    try await connection.send([1, 2, 3])
    pair.closeOther()
    if mayBeEnd {
      for _ in 0..<3 { #expect(try await end(of: connection) == .finished) }
    } else {
      await expectError(.lost) { try await end(of: connection) }
    }
    await expectError(.lost) { try await connection.send([4]) }
    await connection.close()
    await loops.shutdown()
  }

  @Test("after a send has met the reset, the good end is still found")
  func sendMeetsReset() async throws {
    let loops = try EventLoopGroup(count: 1)
    var traits = SocketTraits(hasHalfClose: false)
    traits.resetMayBeEnd = true
    let pair = try SocketPair(loops, traits: traits)
    let connection = pair.connection
    try await connection.send([1, 2, 3])
    pair.closeOther()
    for _ in 0..<3 { await expectError(.lost) { try await connection.send([4]) } }
    #expect(try await end(of: connection) == .finished)
    await connection.close()
    await loops.shutdown()
  }

  @Test("without half-close, finish is unsupported and changes nothing")
  func withoutHalfClose() async throws {
    let loops = try EventLoopGroup(count: 1)
    let pair = try SocketPair(loops, traits: SocketTraits(hasHalfClose: false))
    await expectError(.unsupported) { try await pair.connection.finish() }
    try await pair.connection.send([1, 2])
    await pair.connection.close()
    var buffer: [UInt8] = [0, 0, 0]
    // Unsafe: C writes into the buffer during the call.
    #expect(unsafe read(pair.other.number, &buffer, 3) == 2)
    #expect(unsafe read(pair.other.number, &buffer, 3) == 0)
    await loops.shutdown()
  }

  @Test("close gives up on a frozen peer after its time, and no earlier")
  func lingers() async throws {
    let loops = try EventLoopGroup(count: 1)
    let pair = try SocketPair(loops, traits: SocketTraits(linger: .milliseconds(200)))
    let connection = pair.connection
    await expectError(.timedOut) {
      while true { try await connection.send(pattern(100_000), before: .now + .milliseconds(20)) }
    }
    let start = ContinuousClock.now
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 { group.addTask { await connection.close() } }
    }
    let duration = start.duration(to: .now)
    #expect(duration >= .milliseconds(200) && duration < .seconds(10))
    await loops.shutdown()
    _ = pair.other.number
  }

  @Test("a peer that is gone is no signal, only an error")
  func survivesBrokenPipe() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let loops = try EventLoopGroup(count: 1)
      let pair = try SocketPair(loops)
      let connection = pair.connection
      _ = shutdown(pair.other.number, Int32(SHUT_RDWR))
      do throws(TransportError) {
        try await connection.send([1])
        exit(9)
      } catch {
        guard error.code == .lost else { exit(8) }
      }
      await connection.close()
    }
  }

  @Test("two tasks that receive at once stop the program")
  func misuseTraps() async {
    await #expect(processExitsWith: .failure) {
      let loops = try EventLoopGroup(count: 1)
      let pair = try SocketPair(loops)
      let connection = pair.connection
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 { group.addTask { _ = try? await connection.receiveOnce(before: .now + .seconds(20)) } }
      }
      _ = pair.other.number
    }
  }

  @Test("a receive takes at most 256 KiB")
  func boundsReceives() async throws {
    let loops = try EventLoopGroup(count: 1)
    let pair = try SocketPair(loops)
    let connection = pair.connection
    let other = pair.other.number
    let writing = Task {
      let bytes = pattern(60_000)
      var sent = 0
      // Exactly so many: the last write, too, may arrive in parts.
      while sent < 6_060_000 {
        let count = write(other, Array(bytes.prefix(6_060_000 - sent)))
        if count > 0 { sent += count } else { await Task.yield() }
      }
      return sent
    }
    var queue = ByteQueue(capacity: 4 << 20)
    var total = 0
    while total < 6_060_000 {
      guard case .bytes(let count) = try await connection.receive(into: &queue, before: .now + .seconds(20)) else {
        break
      }
      #expect(count <= 262_144)
      total += count
      queue.drop(count)
    }
    #expect(total == 6_060_000)
    #expect(await writing.value == total)
    await loops.shutdown()
  }

  @Test("a task that is cancelled already does not dial, and leaves nothing behind")
  func cancelledBeforeDialling() async {
    // In a process of its own, so that the descriptors can be counted.
    await #expect(processExitsWith: .success) {
      let listener = try Descriptor.stream(family: AF_UNIX)
      guard let anyName = SocketAddress.anyUnix, listener.bind(to: anyName) == 0, listener.listen(backlog: 4) == 0,
        let address = SocketAddress(of: listener)
      else { exit(9) }
      let loops = try EventLoopGroup(count: 1)
      // What the system keeps for sleeps, of which the test's time limit is one, is open from here on.
      try await Task.sleep(for: .milliseconds(50))
      let descriptors = openDescriptors()
      let dialling = Task {
        // It goes on only when it is cancelled.
        while !Task.isCancelled { await Task.yield() }
        let socket = try Descriptor.stream(family: AF_UNIX)
        let end = Endpoint(scheme: "pair", address: "x")
        return try await SocketConnection.connect(
          socket, to: address, loops: loops, traits: SocketTraits(), before: .now + .seconds(20)
        ) { _, _ in (end, end) }
      }
      dialling.cancel()
      do {
        _ = try await dialling.value
        exit(8)
      } catch {
        guard let error = error as? TransportError, error.code == .cancelled else { exit(7) }
      }
      // The process may open and close others for itself meanwhile. A sleep would open some and keep them.
      let end = ContinuousClock.now + .seconds(10)
      while openDescriptors() > descriptors {
        guard ContinuousClock.now < end else { exit(6) }
        await Task.yield()
      }
      guard accept(listener.number, nil, nil) == -1, errno == EAGAIN else { exit(5) }
      await loops.shutdown()
    }
  }
}

extension SocketAddress {
  /// A Unix address without a name: a socket that is bound to it gets one from the system.
  fileprivate static var anyUnix: SocketAddress? {
    // Unsafe: the storage is large enough for the family alone.
    unsafe SocketAddress { address, length in
      unsafe address.pointee.sa_family = sa_family_t(AF_UNIX)
      length = socklen_t(MemoryLayout<sa_family_t>.size)
      return true
    }
  }
}
