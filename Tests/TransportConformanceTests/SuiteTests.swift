internal import Testing
internal import TransportConformance

@Suite("The suite itself")
struct SuiteTests {
  @Test("has at least sixty checks, each with its own name that begins with a requirement, and a sentence")
  func isComplete() {
    let checks = ConformanceSuite.checks
    #expect(checks.count >= 60)
    #expect(Set(checks.map(\.id)).count == checks.count)
    for check in checks {
      #expect(check.requirements.first.map { check.id.hasPrefix($0.id + "-") } == true, "\(check)")
      #expect(check.title.hasSuffix("."), "\(check)")
    }
  }

  @Test("tests every requirement")
  func coversAll() {
    let tested = Set((ConformanceSuite.checks + ConformanceSuite.discoveryChecks).flatMap(\.requirements))
    // Of discovery: what only a transport's own tests can bring about, such as a controller that is unplugged.
    let own: Set = ["V3", "V5", "B3", "B6"]
    for requirement in Requirement.all {
      #expect(tested.contains(requirement) != own.contains(requirement.id), "\(requirement)")
    }
  }
}
