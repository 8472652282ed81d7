internal import CheckIn

/// One check of the suite, as data: what it is called, what it tests, what it needs, how long it may take.
///
/// A whole Swift Testing file for a transport is one test over ``ConformanceSuite/checks``:
///
/// ```swift
/// @Test(arguments: ConformanceSuite.checks)
/// func conforms(check: ConformanceCheck) async throws {
///   let result = await check.run(on: subject())
///   if let reason = result.skipReason { try Test.cancel("\(reason)") }
///   #expect(result.failures.isEmpty, "\(result)")
/// }
/// ```
public struct ConformanceCheck: Sendable, Identifiable {
  /// The name: the number of the requirement that it tests first of all, and some words, such as `C7-last-bytes`.
  /// It stays the same from release to release.
  public let id: String
  /// What must hold: one sentence.
  public let title: String
  /// The requirements that it tests, the most important first.
  public let requirements: [Requirement]
  /// What it cannot do without.
  public let needs: [ConformanceNeed]
  /// How long it may take, before it is multiplied by ``ConformanceSubject/timeFactor``.
  public let bound: Duration
  private let body: @Sendable (ConformanceRun) async throws -> Void

  init(
    _ id: String, _ title: String, also others: [String] = [], needs: [ConformanceNeed] = [],
    bound: Duration = .seconds(20), _ body: @escaping @Sendable (ConformanceRun) async throws -> Void
  ) {
    self.id = id
    self.title = title
    requirements = ([String(id.prefix { $0 != "-" })] + others).map { number in
      guard let requirement = Requirement.named(number) else {
        preconditionFailure("there is no requirement \(number)")
      }
      return requirement
    }
    self.needs = needs
    self.bound = bound
    self.body = body
  }

  /// Runs the check, and ends the subject. It takes no longer than its bound and a little: a call that hangs, or does not
  /// return soon after its deadline, is left behind, and is the failure.
  public func run(on subject: ConformanceSubject) async -> ConformanceResult {
    let start = ContinuousClock.now
    let outcome: ConformanceOutcome
    if let missing = needs.first(where: { !$0.isMet(by: subject) }) {
      outcome = .skipped(missing)
    } else {
      outcome = await judge(subject)
    }
    await subject.end()
    return ConformanceResult(check: self, outcome: outcome, duration: start.duration(to: .now))
  }

  private func judge(_ subject: ConformanceSubject) async -> ConformanceOutcome {
    let run = ConformanceRun(subject)
    let waiter = Waiter<Void>()
    let body = body
    let task = Task {
      do {
        try await body(run)
      } catch {
        run.record(thrown: error)
      }
      waiter.settle(())
    }
    // Asked every so often, and not armed for each call: a check may make hundreds of thousands.
    let watching = Task {
      while !Task.isCancelled {
        if run.recordOverdue() {
          waiter.settle(())
          return
        }
        try? await Task.sleep(for: run.scaled(.milliseconds(200)))
      }
    }
    let ending = await waiter.wait(before: .now + run.scaled(bound))
    switch ending {
    case .settled: break
    case .timedOut: run.recordHang(bound: run.scaled(bound))
    case .cancelled: run.record(expected: "the check to run to its end", happened: "its task was cancelled")
    }
    watching.cancel()
    // Whatever the body says of being cancelled here is no finding.
    run.end()
    task.cancel()
    await run.cleanUp()
    let failures = run.failures
    return failures.isEmpty ? .passed : .failed(failures)
  }
}

extension ConformanceCheck: CustomStringConvertible {
  /// Name and title.
  public var description: String { "\(id): \(title)" }
}
