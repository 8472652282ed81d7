internal import CheckIn
internal import CheckInCore
internal import InMemoryTransport
internal import TLSTransport
internal import Testing
internal import TransportConformance

/// That the tests notice a TLS that is broken: each is run on one, and must fail.
@Suite("The proof by broken TLS", .timeLimit(.minutes(2)))
struct TLSMutantTests {
  private let hall: TLSHall

  init() throws {
    hall = try TLSHall()
  }

  /// Runs one check of the conformance suite on TLS between two layers.
  private func run<End: FaultyEnd>(
    _ id: String, _: End.Type, over base: any Transport, timeFactor: Double
  ) async throws -> ConformanceResult {
    let check = try #require(ConformanceSuite.checks.first { $0.id == id })
    let layers = Layers<End>()
    let tls = try hall.transport(limits: TLSLimits(handshake: .seconds(3), linger: .seconds(1)))
    var subject = ConformanceSubject(
      layers.above(tls.wrap(layers.beneath(base))), addresses: .names(scheme: "tls+memory"), queueBound: 400)
    subject.timeFactor = timeFactor
    return await check.run(on: subject)
  }

  @Test("a side that swallows close_notify fails the check of a good end, which passes without the fault")
  func swallowedNotice() async throws {
    for check in ["C9-close", "C6-both-finish"] {
      let broken = try await run(check, SwallowsNotice.self, over: InMemoryTransport(), timeFactor: 0.2)
      #expect(!broken.failures.isEmpty, "\(check)")
      let whole = try await run(check, NoFault.self, over: InMemoryTransport(), timeFactor: 3)
      #expect(whole.failures.isEmpty && whole.skipReason == nil, "\(whole)")
    }
  }

  @Test("a side that treats truncation as the end fails the check that an abort is told from one, which passes without")
  func truncationAsEnd() async throws {
    // A transport beneath on which an abort looks like a good end, as Unix sockets do.
    for check in ["C8-told-from-finish", "C8-arrived-first"] {
      let broken = try await run(check, TruncationIsEnd.self, over: SilentAborts(), timeFactor: 0.2)
      #expect(!broken.failures.isEmpty, "\(check)")
      let whole = try await run(check, NoFault.self, over: SilentAborts(), timeFactor: 3)
      #expect(whole.failures.isEmpty && whole.skipReason == nil, "\(whole)")
    }
  }

  @Test("and fails the test with someone in the middle who ends both sides")
  func truncationInTheMiddle() async throws {
    let memory = InMemoryTransport()
    let layers = Layers<TruncationIsEnd>()
    let broken = layers.above(try hall.transport().wrap(layers.beneath(memory)))
    #expect(try await TruncationCheck.ends(broken, beneath: memory) == [nil, nil], "both take it for a good end")
    let whole = try hall.transport().wrap(memory)
    #expect(try await TruncationCheck.ends(whole, beneath: memory) == [.lost, .lost])
  }

  @Test("a side that accepts any client fails every test of a refusal", arguments: TLSRefusalTests.Fault.allCases)
  func acceptsAny(fault: TLSRefusalTests.Fault) async throws {
    for check in RefusalCheck.allCases {
      let found = try await check.complaints(about: fault, judge: WrongJudgement.acceptsAny.judge)
      #expect(!found.isEmpty, "\(check)")
    }
  }

  @Test(
    "a side that ignores the role fails the tests of a wrong role, and no other",
    arguments: TLSRefusalTests.Fault.allCases)
  func ignoresRole(fault: TLSRefusalTests.Fault) async throws {
    for check in RefusalCheck.allCases {
      let found = try await check.complaints(about: fault, judge: WrongJudgement.ignoresRole.judge)
      #expect(found.isEmpty == (fault != .wrongRole), "\(check): \(found)")
    }
  }
}

/// In memory, with an abort that the other end takes for a good end.
private struct SilentAborts: Transport {
  private let base = InMemoryTransport()

  var scheme: String { base.scheme }
  var capabilities: TransportCapabilities { base.capabilities.subtracting(.tellsAbort) }

  func connect(to endpoint: Endpoint, before deadline: Deadline?) async throws(TransportError) -> any Connection {
    SilentConnection(try await base.connect(to: endpoint, before: deadline))
  }

  func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    SilentListener(try await base.listen(on: endpoint))
  }
}

private final class SilentListener: Listener {
  private let base: any Listener
  init(_ base: any Listener) { self.base = base }
  var endpoint: Endpoint { base.endpoint }
  func accept() async throws(TransportError) -> any Connection { SilentConnection(try await base.accept()) }
  func close() async { await base.close() }
}

private final class SilentConnection: Connection {
  private let base: any Connection
  init(_ base: any Connection) { self.base = base }
  var local: Endpoint { base.local }
  var remote: Endpoint { base.remote }
  func receive(into queue: inout ByteQueue, before deadline: Deadline?) async throws(TransportError) -> Reception {
    try await base.receive(into: &queue, before: deadline)
  }
  func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    try await base.send(bytes, before: deadline)
  }
  func finish() async throws(TransportError) { try await base.finish() }
  func close() async { await base.close() }
  func abort() { Task { [base] in await base.close() } }
}
