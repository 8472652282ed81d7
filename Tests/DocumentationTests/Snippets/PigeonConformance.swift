// RunningTheConformanceSuite.md: the whole test file of a transport.

internal import CheckIn
internal import Glibc
internal import SocketIO
internal import Testing
internal import TransportConformance

@Test("The pigeon transport conforms", .serialized, .timeLimit(.minutes(2)), arguments: ConformanceSuite.checks)
func pigeonConforms(check: ConformanceCheck) async throws {
  let loops = try EventLoopGroup(count: 1)
  let zero = Endpoint(scheme: "pigeon", address: "0")
  let malformed = ["", "north", "+7017", "07017", "65536", "-1", "70 17", "7017/"]
  let addresses = ConformanceAddresses(
    malformed: malformed.map { Endpoint(scheme: "pigeon", address: $0) }, listenOnly: [zero], fresh: { zero })
  let subject = ConformanceSubject(
    PigeonTransport(loops: loops), addresses: addresses, end: { await loops.shutdown() })
  let result = await check.run(on: subject)
  if let reason = result.skipReason { try Test.cancel("\(reason)") }
  #expect(result.failures.isEmpty, "\(result)")
}

func servePigeons(at endpoint: Endpoint) async throws {
  let loops = try EventLoopGroup(count: 1)
  let peer = ConformancePeer(PigeonTransport(loops: loops)) { _exit(70) }
  try await peer.serve(at: endpoint) { print("serving at \($0)") }
}

func testPigeons(
  at endpoint: Endpoint, _ checks: [ConformanceCheck] = ConformanceSuite.peerChecks
) async throws -> ConformanceReport {
  let loops = try EventLoopGroup(count: 1)
  let transport = PigeonTransport(loops: loops)
  var subject = ConformanceSubject(
    transport, addresses: ConformanceAddresses(fresh: { endpoint }), end: { await loops.shutdown() })
  subject.peer = endpoint
  let results = await ConformanceSuite.run(checks, on: subject)
  return ConformanceReport(
    subject: "\(endpoint)", capabilities: transport.capabilities.names, results: results)
}
