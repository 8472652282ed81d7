extension ConformanceSuite {
  /// Runs the checks one after the other on one subject, and calls ``ConformanceSubject/end`` once, at the end.
  ///
  /// - Parameters:
  ///   - checks: what to run; ``checks(only:skipping:)`` chooses.
  ///   - onResult: called after each check.
  /// - Returns: what was found, as far as it went: a cancelled task runs no further check.
  public static func run(
    _ checks: [ConformanceCheck] = checks, on subject: ConformanceSubject,
    onResult: (ConformanceResult) async -> Void = { _ in }
  ) async -> [ConformanceResult] {
    var each = subject
    each.end = {}
    var results: [ConformanceResult] = []
    for check in checks where !Task.isCancelled {
      let result = await check.run(on: each)
      results.append(result)
      await onResult(result)
    }
    await subject.end()
    return results
  }
}
