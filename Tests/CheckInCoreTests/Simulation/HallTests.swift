internal import TestSupport
internal import Testing

/// A hall of kiosks and phones in a bad hour. A failure names its seed: run it alone with `SimulationHall(seed:)`.
@Suite struct HallTests {
  @Test(
    "R18, R22: nobody is admitted twice, nobody is told true in vain, everybody gets in, no screen is stuck",
    .timeLimit(.minutes(5)), arguments: HallTests.seedBlocks)
  func hall(block: UInt64) {
    for seed in block * 50..<(block + 1) * 50 {
      let hall = SimulationHall(seed: seed)
      let violations = hall.run()
      #expect(violations.isEmpty, "SimulationHall(seed: \(seed))")
    }
  }

  /// Unoptimised code is slower: `swift test -c release --filter HallTests` runs thousands of halls.
  #if DEBUG
    private static let seedBlocks: Range<UInt64> = 0..<6
  #else
    private static let seedBlocks: Range<UInt64> = 0..<100
  #endif

  @Test("The troubles that the simulation is for do happen in it")
  func troubles() {
    var seen: [String: Int] = [:]
    for seed in 0..<30 as Range<UInt64> {
      let hall = SimulationHall(seed: seed)
      _ = hall.run()
      seen.merge(hall.troubles) { $0 + $1 }
    }
    for kind in [
      "cut", "vanish", "dropped", "doubled", "swapped", "changed", "crashed", "broken ledger", "replayed",
    ] {
      #expect(seen[kind, default: 0] > 0, "\(kind)")
    }
  }

  @Test("The same seed gives the same run")
  func deterministic() {
    func story(_ seed: UInt64) -> String {
      let hall = SimulationHall(seed: seed)
      _ = hall.run()
      return hall.kiosks.map { "\($0.events)" }.joined()
    }
    let first = story(3)
    #expect(first == story(3))
    #expect(first != story(4))
  }
}
