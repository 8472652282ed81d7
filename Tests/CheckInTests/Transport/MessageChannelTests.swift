internal import CheckIn
internal import CheckInCore
internal import InMemoryTransport
internal import TestSupport
internal import Testing

@Suite("MessageChannel", .timeLimit(.minutes(1)))
struct MessageChannelTests {
  private func ends() async throws -> (near: any Connection, far: any Connection) {
    let transport = InMemoryTransport()
    let endpoint = try Endpoint("memory://lobby")
    let listener = try await transport.listen(on: endpoint)
    let near = try await transport.connect(to: endpoint, before: nil)
    return (near, try await listener.accept())
  }

  @Test("bodies arrive whole and in order, up to the limit", arguments: [1, 2, 255, 4_096, 65_536])
  func carriesBodies(size: Int) async throws {
    let (near, far) = try await ends()
    let sender = MessageChannel(near)
    let receiver = MessageChannel(far)
    let bodies = (0..<3).map { pattern(size, seed: $0) }
    async let sending: Void = {
      for body in bodies { try await sender.send(body) }
      await sender.close()
    }()
    for body in bodies { #expect(try await receiver.receive() == body) }
    #expect(try await receiver.receive() == nil)
    #expect(try await receiver.receive() == nil)
    try await sending
  }

  @Test("limits differ each way, and what is refused was not sent")
  func limitsEachWay() async throws {
    let (near, far) = try await ends()
    let sender = MessageChannel(near, limits: .init(send: 10, receive: 3))
    let receiver = MessageChannel(far, limits: .init(send: 4, receive: 10))
    await expectError(.tooLarge) { try await sender.send(pattern(11)) }
    await expectError(.malformed) { try await sender.send([]) }
    try await sender.send(pattern(10))
    #expect(try await receiver.receive() == pattern(10))
    try await receiver.send([1, 2, 3])
    #expect(try await sender.receive() == [1, 2, 3])
    try await receiver.send([1, 2, 3, 4])
    await expectError(.tooLarge) { try await sender.receive() }
    await expectError(.tooLarge) { try await sender.receive() }
  }

  @Test("several bodies go in one send, in order; one that cannot be sent keeps back all, and none is nothing to send")
  func sendsSeveral() async throws {
    let (near, far) = try await ends()
    let sender = MessageChannel(near, limits: .init(send: 10, receive: 10))
    try await sender.send(contentsOf: [])
    await expectError(.tooLarge) { try await sender.send(contentsOf: [[1], pattern(11)]) }
    await expectError(.malformed) { try await sender.send(contentsOf: [[2], [], [3]]) }
    let bodies = (1...10).map { pattern($0, seed: $0) }
    try await sender.send(contentsOf: bodies)
    await sender.close()
    // All of them in one piece, and nothing of what was refused.
    var queue = ByteQueue()
    guard case .bytes(let count) = try await far.receive(into: &queue, before: nil) else {
      Issue.record("no bytes came")
      return
    }
    #expect(count == bodies.reduce(0) { $0 + 4 + $1.count })
    let reader = FrameReader()
    for body in bodies { #expect(try reader.next(from: &queue) == body) }
  }

  @Test("a length of zero ends the channel with malformed")
  func refusesEmpty() async throws {
    let (near, far) = try await ends()
    let receiver = MessageChannel(far)
    try await near.send([0, 0, 0, 1, 5, 0, 0, 0, 0])
    #expect(try await receiver.receive() == [5])
    for _ in 0..<2 { await expectError(.malformed) { try await receiver.receive() } }
  }

  @Test("bodies arrive when their bytes come one at a time, and many at once")
  func carriesPieces() async throws {
    let (near, far) = try await ends()
    let receiver = MessageChannel(far)
    let bodies = (1..<20).map { pattern($0 * 11, seed: $0) }
    let stream = try bodies.flatMap { try Frame.encode($0) }
    async let sending: Void = {
      for byte in stream { try await near.send([byte]) }
      try await near.send(stream)
    }()
    for body in bodies + bodies { #expect(try await receiver.receive() == body) }
    try await sending
  }

  @Test("a receive that times out in the middle of a message goes on with it later")
  func goesOn() async throws {
    let (near, far) = try await ends()
    let receiver = MessageChannel(far)
    let frame = try Frame.encode(pattern(100))
    for cut in [1, 4, 5, 103] {
      try await near.send(Array(frame[..<cut]))
      await expectError(.timedOut) { try await receiver.receive(before: .now + .milliseconds(5)) }
      try await near.send(Array(frame[cut...]))
      #expect(try await receiver.receive() == pattern(100))
    }
  }

  @Test("a channel that is dropped aborts its connection")
  func dropAborts() async throws {
    let transport = InMemoryTransport()
    let endpoint = try Endpoint("memory://lobby")
    let listener = try await transport.listen(on: endpoint)
    var channel: MessageChannel? = MessageChannel(try await transport.connect(to: endpoint, before: nil))
    let receiver = MessageChannel(try await listener.accept())
    try await channel?.send([1])
    channel = nil
    #expect(try await receiver.receive() == [1])
    await expectError(.lost) { try await receiver.receive() }
  }

  @Test("two tasks that receive at once stop the program")
  func misuseTraps() async {
    await #expect(processExitsWith: .failure) {
      let transport = InMemoryTransport()
      let endpoint = try Endpoint("memory://lobby")
      let listener = try await transport.listen(on: endpoint)
      let channel = MessageChannel(try await transport.connect(to: endpoint, before: nil))
      let far = try await listener.accept()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
          group.addTask { _ = try? await channel.receive(before: .now + .seconds(20)) }
        }
      }
      await far.close()
    }
  }
}
