internal import CCostCount
internal import CheckInCore

/// One thing that is done again and again while what it costs is counted.
struct Counting: Sendable {
  /// What one costs, as a rule.
  struct Cost {
    let allocations: Double
    let calls: Double
  }

  /// Does it so often.
  typealias Repetition = @Sendable (_ count: Int) async throws -> Void
  /// Makes what is needed, calls its body with what is to be repeated, and takes everything down.
  typealias Preparation =
    @Sendable (_ isSpoiled: Bool, _ body: @escaping @Sendable (Repetition) async throws -> Cost) async throws -> Cost

  let name: String
  private let count: Int
  private let prepare: Preparation

  /// - Parameter count: how often it is done between two looks at the counts.
  init(_ name: String, count: Int, _ prepare: @escaping Preparation) {
    self.name = name
    self.count = count
    self.prepare = prepare
  }

  /// Warms up, so that what is made once is made, and counts. The median of a hundred turns, because now and then a table grows, or a task
  /// comes a moment earlier or later than at other times.
  func run(isSpoiled: Bool) async throws -> Cost {
    let count = count
    return try await prepare(isSpoiled) { repetition in
      var allocations: [Int] = []
      var calls: [Int] = []
      for turn in 0..<150 {
        let before = (allocations: counted_allocations(), calls: counted_calls())
        try await repetition(count)
        guard turn >= 49 else { continue }
        allocations.append(counted_allocations() - before.allocations)
        calls.append(counted_calls() - before.calls)
      }
      return Cost(
        allocations: Double(allocations.sorted()[allocations.count / 2]) / Double(count),
        calls: Double(calls.sorted()[calls.count / 2]) / Double(count))
    }
  }

  /// All of them.
  static let all = [
    memoryFrame, tcpFrame, sign(.ed25519), sign(.es256), verify(.ed25519), verify(.es256), checkIn,
  ]
}

/// Something that costs one allocation and does nothing else.
final class Spoil {
  /// Makes one, if wanted, that the compiler cannot leave out.
  @inline(never)
  static func one(_ isWanted: Bool) -> Spoil? { isWanted ? Spoil() : nil }
}
