internal import FIFOTransport
internal import Testing
internal import TransportConformance

@Test("The FIFO transport conforms", .serialized, .timeLimit(.minutes(2)), arguments: ConformanceSuite.checks)
func conforms(check: ConformanceCheck) async throws {
  let folder = TemporaryFolder()
  let subject = ConformanceSubject(
    FIFOTransport(), addresses: .files(scheme: "fifo", directory: folder.path, longest: 200),
    queueBound: FIFOTransport.backlog)
  let result = await check.run(on: subject)
  if let reason = result.skipReason { try Test.cancel("\(reason)") }
  #expect(result.failures.isEmpty, "\(result)")
}
