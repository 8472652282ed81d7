internal import CheckIn
internal import InMemoryTransport
internal import Testing
internal import TransportConformance

@Suite("The other process", .timeLimit(.minutes(1)))
struct PeerTests {
  @Test(
    "a command is read as it was written",
    arguments: [
      PeerCommand.hello, .echo, .take(1 << 20), .take(1 << 30), .give(0, seed: 0), .give(0, seed: 9), .wait, .close,
      .abort, .die(50, seed: .max),
      .relisten(500),
    ])
  func readsCommands(command: PeerCommand) {
    #expect(PeerCommand(command.body) == command)
  }

  static let malformed = [
    "", " ", "hello ", " hello", "hello 1", "HELLO", "echo  ", "take", "take ", "take x", "take -1", "take 1 2",
    "take 1073741825", "take 99999999999999999999", "give", "give 1", "give 1 x", "give x 1", "give 1 2 3", "die",
    "take +5", "take 05", "take 00", "give 05 1", "give 5 +1", "give 5 01", "relisten 0500",
    "give 1 18446744073709551616", "die 1", "die 1 -2", "die 1 ", "relisten", "relisten 60001", "relisten x", "wait 1",
    "\u{fc}", "take\t1",
  ]

  @Test("what is no command is none", arguments: malformed)
  func refuses(text: String) {
    #expect(PeerCommand(Array(text.utf8)) == nil)
  }

  @Test("who sends no command is dropped, and the process serves on")
  func servesOn() async throws {
    let transport = InMemoryTransport()
    let (ready, isReady) = AsyncStream<Endpoint>.makeStream()
    let serving = Task {
      let peer = ConformancePeer(transport) { fatalError("nobody asked it to die") }
      try await peer.serve(at: Endpoint(scheme: "memory", address: "0")) { isReady.yield($0) }
    }
    let endpoint = try #require(await ready.first { _ in true })
    for text in Self.malformed where !text.isEmpty {
      let channel = MessageChannel(try await transport.connect(to: endpoint, before: nil))
      try await channel.send(Array(text.utf8), before: .now + .seconds(10))
      await #expect(throws: TransportError.self) { try await channel.receive(before: .now + .seconds(10)) }
      channel.abort()
    }
    let channel = MessageChannel(try await transport.connect(to: endpoint, before: nil))
    try await channel.send(PeerCommand.hello.body, before: .now + .seconds(10))
    let answer = try #require(try await channel.receive(before: .now + .seconds(10)))
    #expect(String(decoding: answer, as: UTF8.self) == "checkin-conformance 1 -")
    serving.cancel()
    _ = await serving.result
  }
}
