internal import CheckIn
internal import SocketIO
internal import TCPTransport
internal import TestSupport
internal import Testing

@Suite("The TCP transport", .serialized)
struct TCPTransportTests {
  private static let malformed = [
    "", "127.0.0.1", "127.0.0.1:", ":7443", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1:x",
    "127.0.0.1:7443:7443", "127.0.0.1:7443/", "256.0.0.1:1", "1.2.3:1", "0:1", "::1:7443", "[::1", "[::1]", "[::1]7443",
    "[127.0.0.1]:1", "[:::1]:1", "[]:1", "a b:1", "a_b/:1", String(repeating: "x", count: 254) + ":1",
  ]

  static func subject(host: String = "127.0.0.1", count: Int = 2) throws -> TransportSubject {
    let loops = try EventLoopGroup(count: count)
    return TransportSubject(
      TCPTransport(loops: loops, backlog: 64),
      malformed: malformed.map { Endpoint(scheme: "tcp", address: $0) },
      listenOnly: ["0.0.0.0:0", "[::]:0", "\(host):0"].map { Endpoint(scheme: "tcp", address: $0) }, queueBound: 300,
      freshAddress: { Endpoint(scheme: "tcp", address: "\(host):0") }, end: { await loops.shutdown() })
  }

  @Test("keeps the contract", .timeLimit(.minutes(1)), arguments: ContractCheck.all)
  func keepsTheContract(check: ContractCheck) async throws {
    try await check.run(on: Self.subject())
  }

  @Test("keeps the contract over IPv6", .timeLimit(.minutes(1)), arguments: ContractCheck.all)
  func keepsTheContractOverIPv6(check: ContractCheck) async throws {
    try await check.run(on: Self.subject(host: "[::1]", count: 1))
  }
}
