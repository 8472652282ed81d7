internal import CheckIn
internal import FaultTransport
internal import InMemoryTransport
internal import SocketIO
internal import TCPTransport
internal import Testing
internal import TransportConformance

/// What is wrapped. The bytes come in pieces of all sizes, which changes none of them: so they go by the way that bytes
/// with faults go. Without any parameter `scripts/conformance` runs the suite.
enum Wrapped: String, CaseIterable, CustomTestStringConvertible {
  case memory
  case tcp

  var testDescription: String { rawValue }

  func subject() throws -> ConformanceSubject {
    switch self {
    case .memory: return subject(InMemoryTransport(), .names(scheme: "fault+memory"))
    case .tcp:
      let loops = try EventLoopGroup(count: 2)
      return subject(TCPTransport(loops: loops, backlog: 64), .hostAndPort(scheme: "fault+tcp")) {
        await loops.shutdown()
      }
    }
  }

  private func subject(
    _ inner: any Transport, _ plain: ConformanceAddresses, end: @escaping @Sendable () async -> Void = {}
  ) -> ConformanceSubject {
    var addresses = plain.with(parameters: [.init(name: "seed", value: "7"), .init(name: "split", value: "1..60000")])
    addresses.malformed += [("seed", "x"), ("split", "0"), ("cut-after", "-1"), ("delay", "5")].map { name, value in
      Endpoint(
        scheme: addresses.zero.scheme, address: addresses.zero.address,
        parameters: [Endpoint.Parameter(name: name, value: value)])
    }
    return ConformanceSubject(FaultTransport().wrap(inner), addresses: addresses, queueBound: 300, end: end)
  }
}

@Suite("The fault transport, without a fault", .serialized)
struct FaultContractTests {
  @Test(
    "conforms as what it wraps does", .timeLimit(.minutes(2)), arguments: Wrapped.allCases, ConformanceSuite.checks)
  func conforms(wrapped: Wrapped, check: ConformanceCheck) async throws {
    let result = await check.run(on: try wrapped.subject())
    if let reason = result.skipReason { try Test.cancel("\(reason)") }
    #expect(result.failures.isEmpty, "\(result)")
  }

  @Test("has the capabilities of what it wraps, but for discovery")
  func hasTheCapabilities() {
    let memory = InMemoryTransport()
    let wrapped = FaultTransport().wrap(memory)
    #expect(wrapped.capabilities == memory.capabilities.subtracting(.discovery))
    #expect((wrapped as? any DiscoverableTransport) == nil)
    #expect(wrapped.scheme == "fault+memory")
  }
}
