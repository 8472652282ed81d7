internal import CPeers
internal import Scene

/// One thing that can be measured, in a process of its own.
struct Workload: Sendable {
  /// Which cores the process may use.
  enum Cores {
    /// One: whatever it is made of shares it.
    case one
    /// The first two.
    case two
  }

  /// How it is asked for.
  let name: String
  let cores: Cores
  /// Does so much work and answers what one unit costs: nanoseconds, unless the row says otherwise.
  let measure: @Sendable (_ count: Int) async throws -> Double

  init(_ name: String, on cores: Cores = .one, _ measure: @escaping @Sendable (Int) async throws -> Double) {
    self.name = name
    self.cores = cores
    self.measure = measure
  }

  /// Keeps this process to the cores. The parts that another process plays are on core 0.
  func pin() {
    switch cores {
    case .one: peer_pin(1)
    case .two: peer_pin_two()
    }
  }

  /// The answer of a peer in C, which is below zero when it has said what failed.
  static func judged(_ figure: Double) throws(BenchmarkError) -> Double {
    guard figure >= 0 else { throw BenchmarkError("The peer failed.") }
    return figure
  }

  /// All of them.
  static let all =
    roundTrips + memoryRoundTrips + streams + decoding + signatures + checkIns + encrypted + idleMemory
    + growth
}

/// A part that another process plays.
struct Part: Sendable {
  /// How it is asked for.
  let name: String
  /// Plays it; the port is where the measuring process listens.
  let play: @Sendable (_ port: UInt16, _ count: Int) async throws -> Void

  init(_ name: String, _ play: @escaping @Sendable (UInt16, Int) async throws -> Void) {
    self.name = name
    self.play = play
  }

  /// All of them.
  static let all = roundTripParts + streamParts + idleParts
}
