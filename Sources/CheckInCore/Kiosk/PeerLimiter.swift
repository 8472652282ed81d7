/// How fast each peer may begin sessions (R19): a bucket for each, kept as the time at which it is full again.
struct PeerLimiter: Sendable {
  private let interval: Duration
  private let tolerance: Duration
  private let limit: Int
  private var full: [String: MonotonicTime] = [:]

  init(settings: DeskSettings) {
    let interval = Duration.seconds(1) / max(1, settings.sessionsPerSecond)
    self.interval = interval
    tolerance = interval * max(0, settings.sessionBurst - 1)
    limit = max(1, settings.rememberedPeers)
  }

  /// Whether the peer may begin one now; if so, it is counted.
  mutating func admits(_ peer: String, now: MonotonicTime) -> Bool {
    let start = max(full[peer] ?? now, now)
    guard start - now <= tolerance else { return false }
    if full[peer] == nil { makeRoom(now) }
    full[peer] = start + interval
    return true
  }

  private mutating func makeRoom(_ now: MonotonicTime) {
    guard full.count >= limit else { return }
    full = full.filter { $0.value > now }
    while full.count >= limit {
      guard let first = full.min(by: { $0.value < $1.value }) else { return }
      full[first.key] = nil
    }
  }
}
