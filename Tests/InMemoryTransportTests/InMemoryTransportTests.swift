internal import CheckIn
internal import InMemoryTransport
internal import TestSupport
internal import Testing
internal import TransportConformance

@Suite("The in-memory transport", .serialized)
struct InMemoryTransportTests {
  @Test("conforms", .timeLimit(.minutes(2)), arguments: ConformanceSuite.checks)
  func conforms(check: ConformanceCheck) async throws {
    let subject = ConformanceSubject(InMemoryTransport(), addresses: .names(scheme: "memory"), queueBound: 300)
    let result = await check.run(on: subject)
    if let reason = result.skipReason { try Test.cancel("\(reason)") }
    #expect(result.failures.isEmpty, "\(result)")
  }

  @Test(
    "conforms with narrow pipes", .timeLimit(.minutes(2)),
    arguments: try ConformanceSuite.checks(only: ["C3", "C4", "C6", "C7"]))
  func conformsWhenTight(check: ConformanceCheck) async throws {
    let subject = ConformanceSubject(
      InMemoryTransport(capacity: 700), addresses: .names(scheme: "memory"), queueBound: 300)
    let result = await check.run(on: subject)
    #expect(result.failures.isEmpty, "\(result)")
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
