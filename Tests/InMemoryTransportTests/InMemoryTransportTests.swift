internal import CheckIn
internal import InMemoryTransport
internal import Synchronization
internal import TestSupport
internal import Testing

@Suite("The in-memory transport", .serialized)
struct InMemoryTransportTests {
  private func subject(capacity: Int = 65_536) -> TransportSubject {
    let names = Mutex(0)
    let malformed = ["", "a b", "a/b", "lobby:1", "ä", String(repeating: "x", count: 129)]
    return TransportSubject(
      InMemoryTransport(capacity: capacity),
      malformed: malformed.map { Endpoint(scheme: "memory", address: $0) },
      listenOnly: [Endpoint(scheme: "memory", address: "0")], queueBound: 300,
      freshAddress: {
        let number = names.withLock { number in
          number += 1
          return number
        }
        return Endpoint(scheme: "memory", address: number % 2 == 0 ? "0" : "lobby-\(number)")
      })
  }

  @Test("keeps the contract", .timeLimit(.minutes(1)), arguments: ContractCheck.all)
  func keepsTheContract(check: ContractCheck) async throws {
    try await check.run(on: subject())
  }

  @Test("keeps the contract with pipes of seven bytes", .timeLimit(.minutes(1)))
  func keepsTheContractWhenTight() async throws {
    let subject = subject(capacity: 7)
    let listener = try await subject.transport.listen(on: subject.freshAddress())
    let near = try await subject.transport.connect(to: listener.endpoint, before: nil)
    let far = try await listener.accept()
    let bytes = pattern(10_000)
    async let sending: Void = near.send(bytes)
    #expect(try await far.receive(exactly: bytes.count) == bytes)
    try await sending
  }

  @Test("two instances do not see each other")
  func instancesAreSeparate() async throws {
    let lobby = try Endpoint("memory://lobby")
    let first = InMemoryTransport()
    let second = InMemoryTransport()
    let listener = try await first.listen(on: lobby)
    await expectError(.refused) { try await second.connect(to: lobby, before: nil) }
    let other = try await second.listen(on: lobby)
    await listener.close()
    _ = try await second.connect(to: lobby, before: nil)
    await other.close()
  }

  @Test("a dial to nobody says that other programs cannot be reached")
  func hints() async throws {
    let transport = InMemoryTransport()
    let error = await #expect(throws: TransportError.self) {
      try await transport.connect(to: Endpoint("memory://lobby"), before: nil)
    }
    #expect(error?.code == .refused)
    #expect(error?.message.contains("Other programs cannot be reached by memory://") == true)
  }
}
