import TestSupport
import Testing

@Suite(.enabled(if: !Sanitizer.isOn, "a sanitizer has a heap of its own"), .timeLimit(.minutes(5)))
struct CostTests {
  @Test("What one thing costs in allocations and system calls has not grown", arguments: Threshold.all)
  func keeps(threshold: Threshold) async throws {
    let cost = try await count(threshold.name)
    #expect(cost.allocations <= threshold.allocations, "allocations of \(threshold.name): see Thresholds.swift")
    #expect(cost.calls <= threshold.calls, "system calls of \(threshold.name): see Thresholds.swift")
  }

  @Test("One allocation more would be noticed", arguments: Threshold.all)
  func notices(threshold: Threshold) async throws {
    let cost = try await count(threshold.name, "spoiled")
    #expect(cost.allocations > threshold.allocations, "\(threshold.name) has room for one more: lower its threshold")
  }

  private func count(_ arguments: String...) async throws -> (allocations: Double, calls: Double) {
    let ended = try await ChildProcess.finish(try BuiltProgram.path("CostCount"), arguments, atMost: .seconds(120))
    let numbers = ended.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    try #require(ended.exit == .status(0) && numbers.count == 2, "CostCount: \(ended.output) \(ended.errors)")
    return (numbers[0], numbers[1])
  }
}
