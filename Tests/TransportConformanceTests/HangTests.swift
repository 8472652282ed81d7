internal import CheckIn
internal import InMemoryTransport
internal import Testing
internal import TransportConformance

/// What is said of calls that do not return.
@Suite("Calls that do not return", .timeLimit(.minutes(1)))
struct HangTests {
  private static func result(of id: String, factor: Double, _ hooks: ConnectionHooks) async throws -> ConformanceResult
  {
    let transport = HookedTransport(base: InMemoryTransport(), hooks: Hooks(connection: { _, _ in hooks }))
    let subject = ConformanceSubject(transport, addresses: .names(scheme: "memory"), timeFactor: factor)
    let check = try #require(ConformanceSuite.checks.first { $0.id == id })
    return await check.run(on: subject)
  }

  @Test(
    "a send that ignores its deadline is named soon after it, and ends the check",
    arguments: ["C3-unread-peer", "C4-send-timeout", "C7-bounded"])
  func sendIgnoresDeadline(id: String) async throws {
    let hooks = ConnectionHooks(send: { connection, bytes, _ throws(TransportError) in
      try await connection.send(bytes, before: nil)
    })
    let result = try await Self.result(of: id, factor: 1, hooks)
    #expect(result.failures.count == 1, "\(result)")
    let failure = try #require(result.failures.first)
    #expect(failure.expected == "send of 100000 bytes to return by its deadline")
    #expect(failure.happened == "send did not return within 3 s after its deadline")
    #expect(result.duration < .seconds(20), "the bound of the whole check")
  }

  @Test("a receive that ignores its deadline is named, too")
  func receiveIgnoresDeadline() async throws {
    let hooks = ConnectionHooks(receive: { connection, queue, _ throws(TransportError) in
      try await connection.receive(into: &queue, before: nil)
    })
    let result = try await Self.result(of: "C4-receive-deadline", factor: 1, hooks)
    #expect(result.failures.map(\.happened) == ["receive did not return within 3 s after its deadline"])
  }

  @Test("a check that hangs says in which call, and nothing of the cancelling that ends it")
  func namesCall() async throws {
    let hooks = ConnectionHooks(finish: { _ throws(TransportError) in
      await hang()
      throw .broken(.cancelled)
    })
    let result = try await Self.result(of: "C6-end-again", factor: 0.5, hooks)
    #expect(result.failures.map(\.expected) == ["the whole check to end within 10 s"])
    #expect(result.failures.map(\.happened) == ["it had not; not returned: finish"])
  }
}
