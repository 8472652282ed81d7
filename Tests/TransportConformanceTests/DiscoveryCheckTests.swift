internal import CheckIn
internal import InMemoryTransport
internal import Testing
internal import TransportConformance

@Suite("The checks of discovery", .timeLimit(.minutes(3)))
struct DiscoveryCheckTests {
  @Test("have names that begin with a requirement, each its own, and a sentence")
  func names() {
    let checks = ConformanceSuite.discoveryChecks
    let all = ConformanceSuite.checks + ConformanceSuite.peerChecks + checks
    #expect(Set(all.map(\.id)).count == all.count)
    for check in checks {
      #expect(check.requirements.first.map { check.id.hasPrefix($0.id + "-") } == true, "\(check)")
      #expect(check.title.hasSuffix("."), "\(check)")
    }
  }

  @Test("each has a transport that is broken for it")
  func everyCheckIsProven() {
    #expect(Set(DiscoveryMutant.all.map(\.check)) == Set(ConformanceSuite.discoveryChecks.map(\.id)))
  }

  @Test("the transport in memory passes", arguments: ConformanceSuite.discoveryChecks)
  func memory(check: ConformanceCheck) async {
    // Other tests of this process open and close descriptors at the same time.
    let subject = ConformanceSubject(
      InMemoryTransport(), addresses: .names(scheme: "memory"), openResources: { 0 })
    let result = await check.run(on: subject)
    guard case .passed = result.outcome else {
      Issue.record("\(result)")
      return
    }
  }

  @Test("a transport without discovery is not tested")
  func skipped() async throws {
    let subject = ConformanceSubject(
      HookedTransport(base: InMemoryTransport(), hooks: Hooks(capabilities: [])), addresses: .names(scheme: "memory"))
    let result = await ConformanceSuite.discoveryChecks[0].run(on: subject)
    #expect(result.skipReason?.contains("discovery") == true)
  }

  @Test("a transport that declares discovery and has none fails")
  func lies() async throws {
    let subject = ConformanceSubject(
      HookedTransport(base: InMemoryTransport(), hooks: Hooks(capabilities: [.discovery])),
      addresses: .names(scheme: "memory"))
    #expect(await !ConformanceSuite.discoveryChecks[0].run(on: subject).failures.isEmpty)
  }

  @Test("each fails the transport that is broken for it, and passes without the fault", arguments: DiscoveryMutant.all)
  func mutant(mutant: DiscoveryMutant) async throws {
    let check = try #require(ConformanceSuite.discoveryChecks.first { $0.id == mutant.check })
    let broken = await check.run(on: mutant.subject(isBroken: true, timeFactor: 0.2))
    #expect(!broken.failures.isEmpty, "\(mutant.testDescription): \(broken)")
    let unbroken = await check.run(on: mutant.subject(isBroken: false, timeFactor: 1))
    guard case .passed = unbroken.outcome else {
      Issue.record("without the fault, \(mutant.testDescription): \(unbroken)")
      return
    }
  }
}
