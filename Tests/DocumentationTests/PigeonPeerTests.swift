internal import CheckIn
internal import SocketIO
internal import Testing
internal import TransportConformance

@Suite("Article: running the conformance suite")
struct PigeonPeerTests {
  @Test("both sides of the two processes work together", .timeLimit(.minutes(1)))
  func peer() async throws {
    let loops = try EventLoopGroup(count: 1)
    let transport = PigeonTransport(loops: loops)
    let free = try await transport.listen(on: Endpoint("pigeon://0"))
    let endpoint = free.endpoint
    await free.close()
    let serving = Task { try await servePigeons(at: endpoint) }
    let deadline = Deadline.now + .seconds(20)
    while true {
      do throws(TransportError) {
        try await transport.connect(to: endpoint, before: deadline).abort()
        break
      } catch {
        try #require(error.code == .refused && .now < deadline, "\(error)")
        await Task.yield()
      }
    }
    // Those that kill the process are not for one in which other tests run.
    let checks = try ConformanceSuite.choose(
      from: ConformanceSuite.peerChecks, only: ["C15", "C1-peer-rounds", "C9-peer-ends"], skipping: [])
    let report = try await testPigeons(at: endpoint, checks)
    #expect(report.isGood && report.results.count == 3, "\(report.results)")
    serving.cancel()
    _ = await serving.result
    await loops.shutdown()
  }
}
