internal import CCounting

/// Does a unit many times and counts what that takes from the heap.
struct Counting: Sendable {
  /// How often before anything is counted: caches fill, buffers grow.
  static let early = 100
  /// How often it is counted.
  let count: Int
  /// How many times more than it needs each unit takes from the heap, and how many more system calls it makes.
  let wasted: Int

  /// How often the unit is done in all; it is handed the numbers below.
  var all: Int { Counting.early + count }

  /// Does it, and answers how often a unit takes something from the heap, on average.
  func callAsFunction(_ once: @Sendable (_ number: Int) async throws -> Void) async throws -> Double {
    for number in 0..<Counting.early { try await once(number) }
    let before = heap_taken()
    for number in Counting.early..<all {
      try await once(number)
      for _ in 0..<wasted { waste() }
    }
    return Double(heap_taken() - before) / Double(count)
  }
}
