internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import SocketIO
internal import Synchronization
internal import TestSupport
internal import Testing

/// Small sends of one turn of the loop go out together.
@Suite("Gathered sends", .timeLimit(.minutes(1)))
struct GatheredSendTests {
  /// SOCK_SEQPACKET: each write of the other side is read as one packet.
  private static let packets: Int32 = 5

  /// What the other end has to read now, a read at a time; an end or an error is an empty one at last.
  private func reads(_ other: borrowing Descriptor) -> [[UInt8]] {
    var found: [[UInt8]] = []
    while true {
      var buffer = [UInt8](repeating: 0, count: 262_144)
      // Unsafe: C writes into the buffer during the call.
      let count = unsafe read(other.number, &buffer, buffer.count)
      if count < 0, errno == EAGAIN { return found }
      found.append(Array(buffer[..<max(0, count)]))
      if count <= 0 { return found }
    }
  }

  /// The same, until so many bytes have come.
  private func reads(_ other: borrowing Descriptor, until count: Int) async -> [[UInt8]] {
    var found: [[UInt8]] = []
    while !Task.isCancelled, found.reduce(0, { $0 + $1.count }) < count {
      found += reads(other)
      await Task.yield()
    }
    return found
  }

  /// Runs the body where the connection lives.
  private func onLoop(
    of connection: SocketConnection, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await Task(executorPreference: connection.executor, operation: body).value
  }

  @Test("the first send of a turn is one write, and all behind it are a second")
  func gathers() async throws {
    try await SocketPair.with(traits: SocketTraits(hasHalfClose: false), type: Self.packets) { pair in
      let connection = pair.connection
      for _ in 0..<3 {
        try await onLoop(of: connection) {
          for byte in 1...100 as ClosedRange<UInt8> { try await connection.send([byte]) }
        }
        #expect(await reads(pair.other, until: 100) == [[1], Array(2...100)])
      }
    }
  }

  @Test("from another thread each send is a write, and is with the system when the call returns")
  func elsewhere() async throws {
    try await SocketPair.with(traits: SocketTraits(hasHalfClose: false), type: Self.packets) { pair in
      for byte in 1...5 as ClosedRange<UInt8> {
        try await pair.connection.send([byte])
        #expect(reads(pair.other) == [[byte]])
      }
    }
  }

  @Test("where each send is a packet, none are put together")
  func packets() async throws {
    var traits = SocketTraits(hasHalfClose: false)
    traits.keepsPackets = true
    try await SocketPair.with(traits: traits, type: Self.packets) { pair in
      let connection = pair.connection
      try await onLoop(of: connection) {
        for byte in 1...5 as ClosedRange<UInt8> { try await connection.send([byte]) }
      }
      #expect(await reads(pair.other, until: 5) == [[1], [2], [3], [4], [5]])
    }
  }

  @Test("small and large sends of many tasks keep their order and stay whole")
  func order() async throws {
    try await SocketPair.with { pair in
      let connection = pair.connection
      let sizes = [1, 3, 70_000, 2, 16_383, 16_384, 5, 5, 5, 40_000, 1]
      let sending = Task(executorPreference: connection.executor) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for task in 0..<8 as Range<UInt8> {
            group.addTask {
              for size in sizes { try await connection.send([UInt8](repeating: task, count: size)) }
            }
          }
          try await group.waitForAll()
        }
      }
      let total = 8 * sizes.reduce(0, +)
      var received: [UInt8] = []
      while received.count < total, !Task.isCancelled {
        received += reads(pair.other).flatMap { $0 }
        await Task.yield()
      }
      try await sending.value
      // Each task's bytes, and the lengths of its runs: no send was torn by another task's.
      var left = [[Int]](repeating: sizes, count: 8)
      var position = 0
      while position < received.count {
        let task = Int(received[position])
        let size = try #require(left[task].isEmpty ? nil : left[task].removeFirst())
        let end = min(position + size, received.count)
        #expect(received[position..<end].allSatisfy { $0 == received[position] } && end - position == size)
        position = end
      }
      #expect(left.allSatisfy { $0.isEmpty })
    }
  }

  @Test("close and finish deliver what was gathered (C6, C7)", arguments: [true, false])
  func ends(closes: Bool) async throws {
    try await SocketPair.with { pair in
      let connection = pair.connection
      try await onLoop(of: connection) {
        for byte in 1...9 as ClosedRange<UInt8> { try await connection.send([byte]) }
        if closes { await connection.close() } else { try await connection.finish() }
      }
      #expect(await reads(pair.other, until: 9).flatMap { $0 } == Array(1...9))
      // The end of the stream.
      while !Task.isCancelled {
        let rest = reads(pair.other)
        guard rest.isEmpty else {
          #expect(rest == [[]])
          break
        }
        await Task.yield()
      }
    }
  }

  @Test("abort delivers a prefix, and what was gathered goes nowhere (C8)")
  func aborts() async throws {
    try await SocketPair.with { pair in
      let connection = pair.connection
      try await onLoop(of: connection) {
        for byte in 1...9 as ClosedRange<UInt8> { try await connection.send([byte]) }
        connection.abort()
      }
      #expect(reads(pair.other).flatMap { $0 } == [1])
    }
  }

  @Test("a peer that does not read stops a task that sends little at a time, in bounded memory (C3)")
  func bounded() async throws {
    try await SocketPair.with { pair in
      let connection = pair.connection
      let counter = Counter()
      let sending = Task(executorPreference: connection.executor) {
        let bytes = [UInt8](repeating: 7, count: 100)
        // A hundred megabytes: it does not come so far.
        for _ in 0..<1_000_000 {
          try await connection.send(bytes)
          counter.increase()
        }
      }
      var before = -1
      while before != counter.value, !Task.isCancelled {
        before = counter.value
        try await Task.sleep(for: .milliseconds(200))
      }
      var received = reads(pair.other).reduce(0) { $0 + $1.count }
      #expect(before * 100 < received + 200_000)
      sending.cancel()
      _ = await sending.result
      // All that was taken arrives.
      let taken = counter.value * 100
      while received < taken, !Task.isCancelled {
        received += reads(pair.other).reduce(0) { $0 + $1.count }
        await Task.yield()
      }
      #expect(received >= taken)
    }
  }

  @Test("a peer that has gone is told of by a later send, and by the receive")
  func lost() async throws {
    try await SocketPair.with { pair in
      let connection = pair.connection
      pair.closeOther()
      await expectError(.lost) {
        try await Task(executorPreference: connection.executor) {
          while true {
            try await connection.send([1])
            await Task.yield()
          }
        }.value
      }
    }
  }
}

/// Counts across tasks.
private final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .relaxed) }

  func increase() {
    count.wrappingAdd(1, ordering: .relaxed)
  }
}
