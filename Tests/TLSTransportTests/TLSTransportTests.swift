internal import CheckIn
internal import CheckInCore
internal import InMemoryTransport
internal import TLSTransport
internal import TestSupport
internal import Testing

@Suite("TLS", .timeLimit(.minutes(1)))
struct TLSTransportTests {
  private let hall: TLSHall
  private let memory = InMemoryTransport()
  private let tls: any Transport
  private let endpoint = Endpoint(scheme: "tls+memory", address: "0")

  init() throws {
    hall = try TLSHall()
    tls = try hall.transport(limits: TLSLimits(handshake: .seconds(2), confirmation: .milliseconds(200)))
      .wrap(memory)
  }

  @Test("both ends have the same channel binding, and each connection its own")
  func bindsChannels() async throws {
    let first = try await TLSPair(tls, at: endpoint)
    let second = try await TLSPair(tls, at: endpoint)
    let binding = try #require(first.near.channelBinding)
    #expect(binding.count == 32)
    #expect(first.far.channelBinding == binding)
    #expect(second.near.channelBinding == second.far.channelBinding)
    #expect(second.near.channelBinding != binding)
  }

  @Test("works with both kinds of keys", arguments: [SignatureAlgorithm.ed25519, .es256])
  func worksWithBothKinds(algorithm: SignatureAlgorithm) async throws {
    let pair = try await TLSPair(TLSHall(algorithm: algorithm).transport().wrap(memory), at: endpoint)
    try await pair.near.send([1, 2, 3])
    #expect(try await pair.far.receive(exactly: 3) == [1, 2, 3])
  }

  @Test("a stream that ends beneath without the notice is lost, and not finished")
  func tellsTruncation() async throws {
    #expect(try await TruncationCheck.ends(tls, beneath: memory) == [.lost, .lost])
  }

  @Test("a byte that is changed on the way ends the connection, and is not handed out", arguments: [5, 40, 200])
  func noticesChanges(place: Int) async throws {
    let listener = try await tls.listen(on: endpoint)
    let middle = try await memory.listen(on: Endpoint("memory://0"))
    let passing = Task { [memory] in
      let outside = try await middle.accept()
      let inside = try await memory.connect(
        to: Endpoint(scheme: "memory", address: listener.endpoint.address), before: nil)
      async let back: Void = TruncationCheck.pass(from: inside, to: outside)
      var queue = ByteQueue()
      while case .bytes? = try? await outside.receive(into: &queue, before: nil) {
        var bytes = queue.take(queue.count)
        // The record with our thousand bytes is the only one of that size.
        if bytes.count > 1_000 { bytes[place] ^= 1 }
        try? await inside.send(bytes, before: nil)
      }
      await back
    }
    let near = try await tls.connect(
      to: Endpoint(scheme: "tls+memory", address: middle.endpoint.address), before: nil)
    let far = try await listener.accept()
    try await near.send(pattern(5_000))
    await expectError(.malformed, .lost) { try await far.receiveOnce() }
    await expectError(.malformed, .lost) { try await far.receiveOnce() }
    await expectError(.malformed, .lost) { try await far.send([1]) }
    passing.cancel()
    await listener.close()
    await middle.close()
  }

  @Test("a listener in plain text is told from one that is lost")
  func meetsPlainListener() async throws {
    let plain = try await memory.listen(on: Endpoint("memory://0"))
    let answering = Task {
      let connection = try await plain.accept()
      try await connection.send(pattern(100), before: nil)
      _ = try await connection.receiveAll()
    }
    await expectError(.malformed) { [tls] in
      try await tls.connect(to: Endpoint(scheme: "tls+memory", address: plain.endpoint.address), before: nil)
    }
    answering.cancel()
    await plain.close()
  }

  @Test("garbage, silence and hundreds of strangers leave the listener serving")
  func survivesStrangers() async throws {
    let listener = try await tls.listen(on: endpoint)
    let beneath = Endpoint(scheme: "memory", address: listener.endpoint.address)
    var strangers: [any Connection] = []
    for number in 0..<200 {
      let stranger = try await memory.connect(to: beneath, before: nil)
      switch number % 4 {
      case 0: try await stranger.send(pattern(1 + number * 7, seed: number), before: nil)
      case 1: try await stranger.send([22, 3, 1, 0xff, 0xff] + pattern(200), before: nil)
      case 2: stranger.abort()
      default: break
      }
      strangers.append(stranger)
    }
    let near = try await tls.connect(to: listener.endpoint, before: .now + .seconds(10))
    let far = try await listener.accept()
    try await near.send([1, 2, 3])
    #expect(try await far.receive(exactly: 3) == [1, 2, 3])
    // Those that say nothing are ended when their time is over.
    var queue = ByteQueue()
    await expectError(.lost) { try await strangers[199].receive(into: &queue, before: .now + .seconds(10)) }
    await listener.close()
  }

  @Test("a side that finishes can read on for as long as the other sends")
  func halfCloses() async throws {
    let pair = try await TLSPair(tls, at: endpoint)
    try await pair.near.send([1, 2, 3])
    try await pair.near.finish()
    #expect(try await pair.far.receiveAll() == [1, 2, 3])
    let replying = Task { try await pair.far.send(pattern(300_000)) }
    #expect(try await pair.near.receive(exactly: 300_000) == pattern(300_000))
    try await replying.value
    await expectError(.closed) { try await pair.near.send([1]) }
    await pair.far.close()
    #expect(try await pair.near.receiveOnce() == .finished)
  }

  @Test("new credentials are used from the next connection on, and open ones live on")
  func reloads() async throws {
    let transport = try hall.transport()
    let tls = transport.wrap(memory)
    let listener = try await tls.listen(on: endpoint)
    let old = try await tls.connect(to: listener.endpoint, before: nil)
    let oldFar = try await listener.accept()
    let winter = try TLSHall(event: "winter")
    try transport.reload(dialling: hall.attendee, listening: winter.kiosk)
    await expectError(.certificateRefused) { try await tls.connect(to: listener.endpoint, before: nil) }
    try await old.send([1])
    #expect(try await oldFar.receive(exactly: 1) == [1])
    try transport.reload(dialling: winter.attendee, listening: winter.kiosk)
    let new = try await tls.connect(to: listener.endpoint, before: nil)
    let newFar = try await listener.accept()
    try await new.send([2])
    #expect(try await newFar.receive(exactly: 1) == [2])
    await listener.close()
  }
}
