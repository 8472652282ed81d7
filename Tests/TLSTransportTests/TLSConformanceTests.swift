internal import CheckIn
internal import SocketIO
internal import TCPTransport
internal import TLSTransport
internal import Testing
internal import TransportConformance

@Suite("The TLS transport", .serialized)
struct TLSConformanceTests {
  private static let hall = Result { try TLSHall() }

  @Test("conforms over TCP", .timeLimit(.minutes(2)), arguments: ConformanceSuite.checks)
  func conformsOverTCP(check: ConformanceCheck) async throws {
    let loops = try EventLoopGroup(count: 2)
    let tcp = TCPTransport(loops: loops, linger: .seconds(1), backlog: 64)
    try await conforms(check, tcp, .hostAndPort(scheme: "tls+tcp")) { await loops.shutdown() }
  }

  private func conforms(
    _ check: ConformanceCheck, _ inner: any Transport, _ addresses: ConformanceAddresses,
    end: @escaping @Sendable () async -> Void = {}
  ) async throws {
    let limits = TLSLimits(handshake: .seconds(3), linger: .seconds(1))
    let subject = ConformanceSubject(
      try Self.hall.get().transport(limits: limits).wrap(inner), addresses: addresses, queueBound: 400,
      stranger: { endpoint in
        try await inner.connect(to: Endpoint(scheme: inner.scheme, address: endpoint.address), before: nil)
      }, end: end)
    let result = await check.run(on: subject)
    if let reason = result.skipReason { try Test.cancel("\(reason)") }
    #expect(result.failures.isEmpty, "\(result)")
  }
}
