internal import CheckIn
internal import CheckInCore
internal import InMemoryTransport
internal import Testing
internal import TransportConformance

@Suite("What arrives before an abort", .timeLimit(.minutes(1)))
struct ArrivedFirstTests {
  @Test("C8: may be any first part of what was sent, so the check passes")
  func prefix() async throws {
    let cuts = Shared(0)
    let hooks = ConnectionHooks(receive: { connection, queue, deadline throws(TransportError) in
      var own = ByteQueue()
      let reception = try await connection.receive(into: &own, before: deadline)
      guard own.count > 1_000 else {
        queue.append(own.take(own.count))
        return reception
      }
      var count = own.count
      do throws(TransportError) {
        _ = try await connection.receive(into: &own, before: .now - .seconds(1))
        count = own.count
      } catch {
        if error.code == .lost {
          count /= 2
          _ = cuts.next()
        }
      }
      queue.append(own.take(count))
      return .bytes(count)
    })
    let transport = HookedTransport(base: InMemoryTransport(), hooks: Hooks(connection: { _, _ in hooks }))
    let subject = ConformanceSubject(transport, addresses: .names(scheme: "memory"), timeFactor: 3)
    let check = try #require(ConformanceSuite.checks.first { $0.id == "C8-arrived-first" })
    let result = await check.run(on: subject)
    #expect(result.failures.isEmpty, "\(result)")
    #expect(cuts.value > 0, "something was cut")
  }
}
