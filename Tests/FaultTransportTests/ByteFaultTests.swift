internal import CheckIn
internal import CheckInCore
internal import TestSupport
internal import Testing

@Suite("Faults of bytes", .timeLimit(.minutes(1)))
struct ByteFaultTests {
  /// The sizes of the pieces in which so many bytes come.
  private func pieces(_ connection: any Connection, _ count: Int) async throws -> [Int] {
    var queue = ByteQueue()
    var sizes: [Int] = []
    while queue.count < count {
      guard case .bytes(let size) = try await connection.receive(into: &queue, before: .now + .seconds(30)) else {
        break
      }
      sizes.append(size)
    }
    #expect(queue.take(queue.count) == pattern(count))
    return sizes
  }

  @Test("split hands out, and sends, no more than it says")
  func splits() async throws {
    let line = try await FaultLine()
    let (near, far) = try await line.pair("seed=3&split=receive:1")
    try await far.send(pattern(100))
    #expect(try await pieces(near, 100) == Array(repeating: 1, count: 100))
    let (other, peer) = try await line.pair("seed=3&split=receive:2..9")
    try await peer.send(pattern(1000))
    let sizes = try await pieces(other, 1000)
    #expect(Set(sizes.dropLast()) == Set(2...9))
    let (sender, reader) = try await line.pair("split=send:1&delay=send:1ms")
    async let sending: Void = sender.send(pattern(20))
    #expect(try await pieces(reader, 20).count > 1)
    try await sending
  }

  @Test("coalesce gathers what comes soon after")
  func coalesces() async throws {
    let line = try await FaultLine()
    let (near, far) = try await line.pair("coalesce=3000s")
    async let sending: Void = {
      for _ in 0..<700 { try await far.send(pattern(100)) }
      await far.close()
    }()
    // Full before the time is over, and over when the peer has finished.
    #expect(try await near.receiveOnce() == .bytes(65_536))
    // What was gathered beyond that may be handed out before the rest has come.
    #expect(try await near.receive(exactly: 70_000 - 65_536).count == 70_000 - 65_536)
    #expect(try await near.receiveOnce() == .finished)
    try await sending
    // A deadline ends the gathering, and what has come is handed out.
    let (other, peer) = try await line.pair("coalesce=3000s")
    try await peer.send([1, 2, 3])
    #expect(try await other.receiveOnce(before: .now + .milliseconds(20)) == .bytes(3))
  }

  @Test("delay makes bytes late, and a deadline before that takes nothing")
  func delays() async throws {
    let line = try await FaultLine()
    let (near, far) = try await line.pair("delay=receive:40ms")
    let start = ContinuousClock.now
    try await far.send([1, 2, 3])
    await expectError(.timedOut) { try await near.receiveOnce(before: .now + .milliseconds(2)) }
    #expect(try await near.receive(exactly: 3) == [1, 2, 3])
    #expect(start.duration(to: .now) >= .milliseconds(40))
    let (sender, reader) = try await line.pair("delay=send:40ms")
    let sent = ContinuousClock.now
    await expectError(.timedOut) { try await sender.send([1], before: .now + .milliseconds(2)) }
    try await sender.send([2])
    #expect(sent.duration(to: .now) >= .milliseconds(40))
    #expect(try await reader.receive(exactly: 1) == [2])
  }

  @Test("a stall keeps deadlines, and ends when it is to end", arguments: ["send", "receive"])
  func stalls(direction: String) async throws {
    let line = try await FaultLine()
    let (near, far) = try await line.pair("stall-after=\(direction):3&stall-for=50ms")
    let (from, to) = direction == "send" ? (near, far) : (far, near)
    let start = ContinuousClock.now
    async let sending: Void = from.send([1, 2, 3, 4, 5])
    #expect(try await to.receive(exactly: 3) == [1, 2, 3])
    await expectError(.timedOut) { try await to.receiveOnce(before: .now + .milliseconds(2)) }
    #expect(try await to.receive(exactly: 2) == [4, 5])
    #expect(start.duration(to: .now) >= .milliseconds(50))
    try await sending
  }

  @Test("a stall without end ends with a close, an abort or a drop", arguments: ["close", "abort", "drop"])
  func stallsForEver(end: String) async throws {
    let line = try await FaultLine()
    var near: (any Connection)? = try await line.dial("stall-after=2")
    let far = try await line.listener.accept()
    do {
      let near = try #require(near)
      try await far.send([9, 9, 9])
      #expect(try await near.receive(exactly: 2) == [9, 9])
      await expectError(.timedOut) { try await near.send([1, 2, 3], before: .now + .milliseconds(5)) }
      #expect(try await far.receive(exactly: 2) == [1, 2])
      let blocked = end == "drop" ? nil : Task { try await near.receiveOnce(before: nil) }
      let sending = end == "drop" ? nil : Task { try await near.send([4], before: nil) }
      switch end {
      case "close": await near.close()
      case "abort": near.abort()
      default: break
      }
      if let blocked, let sending {
        let (received, sent) = (await blocked.result, await sending.result)
        await expectError(.closed) { try received.get() }
        await expectError(.closed) { try sent.get() as Void }
      }
    }
    near = nil
    if end == "close" {
      #expect(try await far.receiveOnce() == .finished)
    } else {
      await expectError(.lost) { try await far.receiveOnce() }
    }
  }

  @Test("a cut and a reset come at their byte, in each direction", arguments: ["cut-after", "reset-after"], 0...24)
  func ends(parameter: String, place: Int) async throws {
    let line = try await FaultLine()
    let bytes = pattern(24)
    for direction in ["send", "receive"] {
      let (near, far) = try await line.pair("\(parameter)=\(direction):\(place)")
      let (from, to) = direction == "send" ? (near, far) : (far, near)
      let sending = Task { for byte in bytes { try await from.send([byte]) } }
      var queue = ByteQueue()
      var isCut = false
      do throws(TransportError) {
        while case .bytes = try await to.receive(into: &queue, before: .now + .seconds(30)) {}
        isCut = true
      } catch {
        #expect(error.code == .lost)
      }
      // The peer of a cut reads a good end; the end with the fault, and the peer of a reset, a loss.
      #expect(isCut == (parameter == "cut-after" && direction == "send"))
      #expect(queue.take(queue.count) == Array(bytes.prefix(place)))
      let sent = await sending.result
      if direction == "send", place < 24 { await expectError(.lost) { try sent.get() as Void } }
      for _ in 0..<2 {
        #expect(await injected { try await near.send([1]) } != nil)
        #expect(await injected { try await near.receiveOnce() } != nil)
        #expect(await injected { try await near.finish() } != nil)
      }
      await near.close()
      await expectError(.closed) { try await near.send([1]) }
    }
  }

  @Test("drop ends the connection at a byte that follows from the seed")
  func drops() async throws {
    func place(_ seed: Int) async throws -> Int {
      let line = try await FaultLine()
      let (near, far) = try await line.pair("seed=\(seed)&drop=receive:0.02")
      async let sending: Void? = try? far.send(pattern(5000))
      var queue = ByteQueue()
      await expectError(.lost) {
        while case .bytes = try await near.receive(into: &queue, before: .now + .seconds(30)) {}
      }
      _ = await sending
      return queue.count
    }
    var places: [Int] = []
    for seed in 0..<20 {
      places.append(try await place(seed))
      #expect(try await place(seed) == places[seed])
    }
    #expect(Set(places).count > 10)
  }

  @Test("flip turns one bit of a byte, the same whatever the pieces", arguments: ["send", "receive"])
  func flips(direction: String) async throws {
    func received(_ query: String) async throws -> [UInt8] {
      let line = try await FaultLine()
      let (near, far) = try await line.pair(query)
      let (from, to) = direction == "send" ? (near, far) : (far, near)
      async let sending: Void = {
        try await from.send(pattern(3000))
        await from.close()
      }()
      let bytes = try await to.receiveAll()
      try await sending
      return bytes
    }
    let all = try await received("flip=\(direction):1")
    #expect(zip(all, pattern(3000)).allSatisfy { ($0 ^ $1).nonzeroBitCount == 1 })
    let some = try await received("seed=5&flip=\(direction):0.01")
    let changed = zip(some, pattern(3000)).count { $0 != $1 }
    #expect((10...60).contains(changed))
    #expect(try await received("seed=5&flip=\(direction):0.01&split=1..7") == some)
    #expect(try await received("seed=6&flip=\(direction):0.01") != some)
    let one = try await received("flip-at=\(direction):2999")
    #expect(zip(one, pattern(3000)).enumerated().filter { $1.0 != $1.1 }.map(\.offset) == [2999])
  }

  @Test("the tail of the last send is lost on close, and on nothing else")
  func losesOnClose() async throws {
    let line = try await FaultLine()
    let (near, far) = try await line.pair("lose-on-close=3")
    try await near.send([1, 2, 3, 4, 5])
    await near.close()
    #expect(try await far.receiveAll() == [1, 2])
    // The next send, the next receive, finish and a little time let it go.
    let (other, peer) = try await line.pair("lose-on-close=3")
    try await other.send([1, 2])
    try await other.send([3, 4, 5, 6])
    #expect(try await peer.receive(exactly: 6) == [1, 2, 3, 4, 5, 6])
    try await other.send([7])
    await expectError(.timedOut) { try await other.receiveOnce(before: .now - .seconds(1)) }
    #expect(try await peer.receive(exactly: 1) == [7])
    try await other.send([8, 9])
    try await other.finish()
    #expect(try await peer.receiveAll() == [8, 9])
    await other.close()
  }

  @Test("first leaves later connections clean")
  func concernsTheFirst() async throws {
    let line = try await FaultLine(listening: "seed=1&first=2&reset-after=0")
    for number in 1...4 {
      let (near, far) = try await line.pair()
      try await near.send([1])
      if number <= 2 {
        await expectError(.lost) { try await far.receiveOnce() }
      } else {
        #expect(try await far.receive(exactly: 1) == [1])
      }
      near.abort()
    }
  }

  @Test("connections of one listener draw different faults, the same again in a second run")
  func drawsForEach() async throws {
    func places() async throws -> [Int] {
      let line = try await FaultLine(listening: "seed=41&cut-after=receive:0..4000")
      var places: [Int] = []
      for _ in 0..<8 {
        let (near, far) = try await line.pair()
        try await near.send(pattern(4001))
        var queue = ByteQueue()
        await expectError(.lost) { while true { _ = try await far.receive(into: &queue, before: .now + .seconds(30)) } }
        places.append(queue.count)
        near.abort()
      }
      return places
    }
    let first = try await places()
    #expect(Set(first).count > 4)
    #expect(try await places() == first)
  }
}
