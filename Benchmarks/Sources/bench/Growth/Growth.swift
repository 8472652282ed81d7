internal import Scene

/// One figure as something grows.
struct Growth: Sendable {
  /// What is measured.
  let what: String
  let workload: String
  /// Of what there is more and more.
  let of: String
  let sizes: [Int]
  let unit: Unit

  static let all = [
    Growth(
      what: "64 B there and back", workload: "growth-round-trip", of: "connections",
      sizes: [1, 10, 100, 1_000, 10_000], unit: .time),
    Growth(
      what: "a check-in", workload: "growth-check-in", of: "connections", sizes: [1, 10, 100, 1_000, 10_000],
      unit: .time),
    Growth(
      what: "memory of an attendee", workload: "idle", of: "connections", sizes: [100, 1_000, 10_000], unit: .memory),
    Growth(
      what: "a row in the durable ledger", workload: "growth-rows", of: "rows",
      sizes: [1_000, 10_000, 100_000, 1_000_000], unit: .time),
    Growth(
      what: "a row in the ledger in memory", workload: "growth-rows-memory", of: "rows",
      sizes: [1_000, 10_000, 100_000, 1_000_000], unit: .time),
  ]

  /// The median of some runs at each size.
  func measure(rounds: Int, _ figure: (String, Int) throws(BenchmarkError) -> Double) throws(BenchmarkError) -> Grown {
    var runs = [[Double]](repeating: [], count: sizes.count)
    for _ in 0..<rounds {
      for (index, size) in sizes.enumerated() { runs[index].append(try figure(workload, size)) }
    }
    return Grown(growth: self, figures: runs.map(\.median))
  }
}

/// What was found.
struct Grown {
  let growth: Growth
  let figures: [Double]

  /// One line for people.
  var line: String {
    let parts = zip(growth.sizes, figures).map { "\($0): \(growth.unit.text($1))" }
    return "\(growth.what), by \(growth.of)\n  " + parts.joined(separator: "  ")
  }
}
