/// The limits and times of a kiosk's desk.
public struct DeskSettings: Hashable, Sendable {
  /// How many sessions may be open (R19).
  public var openSessions: Int = 256
  /// How many more may be open only to be told ``Reason/busy``.
  public var busySessions: Int = 32
  /// How many open sessions may be without an initial request yet. When one more comes, the oldest of them ends.
  public var halfOpenSessions: Int = 64
  /// How many of those one peer may have: the rest is for others, so that one silent machine keeps nobody out.
  public var halfOpenSessionsPerPeer: Int = 48
  /// How many sessions a peer may begin at once.
  public var sessionBurst: Int = 200
  /// How many sessions a peer may begin each second, once the burst is used.
  public var sessionsPerSecond: Int = 100
  /// How many peers are remembered for that; the longest silent one is forgotten first.
  public var rememberedPeers: Int = 4096

  /// How long the last digit stays readable.
  public var reveal: Duration = .milliseconds(600)
  /// How long an outcome stays on the screen.
  public var outcome: Duration = .seconds(4)
  /// How long it stays when others wait.
  public var outcomeWhenBusy: Duration = .milliseconds(1500)
  /// How long news of the queue gathers before those who wait are told: whoever has been served by then is told nothing,
  /// and nobody is told twice in that time.
  public var noticePause: Duration = .milliseconds(250)

  /// How failures of one token delay its next session (R3).
  public var tokenDelay = FailureDelay(after: 3, first: .seconds(5), longest: .seconds(300), memory: .seconds(900))
  /// How failures at this kiosk delay its keypad (R3).
  public var keypadDelay = FailureDelay(after: 20, first: .seconds(2), longest: .seconds(30), memory: .seconds(600))
  /// How many tokens' failures are remembered; beyond it the oldest are forgotten.
  public var rememberedFailures: Int = 10_000

  /// How many invalid tokens are reported each second; the rest are counted (R16).
  public var invalidTokenReportsPerSecond: Int = 5

  /// The values that fit a kiosk at a door.
  public init() {}
}

/// A delay that grows with the failures of a while (R3).
public struct FailureDelay: Hashable, Sendable {
  /// How many failures bring the first delay.
  public let after: Int
  /// That delay; each further failure doubles it.
  public let first: Duration
  /// It grows no longer than this.
  public let longest: Duration
  /// A failure counts for so long.
  public let memory: Duration

  /// A policy.
  public init(after: Int, first: Duration, longest: Duration, memory: Duration) {
    self.after = after
    self.first = first
    self.longest = longest
    self.memory = memory
  }

  /// The delay that so many failures bring.
  public func delay(afterFailures count: Int) -> Duration {
    guard count >= after else { return .zero }
    var delay = first
    for _ in after..<count where delay < longest {
      delay += delay
    }
    return min(delay, longest)
  }
}
