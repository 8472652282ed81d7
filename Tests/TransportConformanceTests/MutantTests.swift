internal import Glibc
internal import Testing
internal import TransportConformance

@Suite("The proof by broken transports")
struct MutantTests {
  @Test("every check has a transport that is broken for it")
  func everyCheckIsProven() {
    let proven = Set((Mutant.all + [.outOfDescriptors]).map(\.check))
    for check in ConformanceSuite.checks { #expect(proven.contains(check.id), "\(check)") }
    #expect(Set(ConformanceSuite.checks.map(\.id)).isSuperset(of: proven))
  }

  @Test(
    "the check that takes a process of its own fails the listener that ends without descriptors, and passes another")
  func outOfDescriptors() async {
    await #expect(processExitsWith: .success) {
      let mutant = Mutant.outOfDescriptors
      let check = try #require(ConformanceSuite.checks.first { $0.id == mutant.check })
      // The first sleep opens the descriptors of the pool's own timers.
      try await Task.sleep(for: .milliseconds(5))
      let unbroken = await check.run(on: try mutant.subject(isBroken: false, timeFactor: 1))
      guard case .passed = unbroken.outcome else { exit(7) }
      let broken = await check.run(on: try mutant.subject(isBroken: true, timeFactor: 0.2))
      guard case .failed = broken.outcome else { exit(8) }
    }
  }

  /// The unbroken transports run the whole suite in the tests of their own. Here each check that a mutant has runs on
  /// the mutant, and on what lies beneath it. Eight at a time, because many of them wait for a bound.
  @Test("for each, its own check fails it, and passes without the fault", .timeLimit(.minutes(3)))
  func ownChecksFail() async throws {
    let mutants = Shared(Mutant.all)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          while let mutant = mutants.change({ $0.popLast() }) {
            do {
              try await ownCheckFails(mutant)
            } catch {
              Issue.record(error, "\(mutant.testDescription)")
            }
          }
        }
      }
    }
  }

  private func ownCheckFails(_ mutant: Mutant) async throws {
    let check = try #require(ConformanceSuite.checks.first { $0.id == mutant.check })
    let broken = await check.run(on: try mutant.subject(isBroken: true, timeFactor: 0.2))
    #expect(!broken.failures.isEmpty, "\(mutant.testDescription): \(broken)")
    let unbroken = await check.run(on: try mutant.subject(isBroken: false, timeFactor: 3))
    guard case .passed = unbroken.outcome else {
      Issue.record("without the fault, \(mutant.testDescription): \(unbroken)")
      return
    }
  }
}
