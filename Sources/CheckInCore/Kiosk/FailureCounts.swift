/// The failures that still count against tokens and against this kiosk, and the delays that they bring (R3).
///
/// Built again at the start from what the ledger keeps, so that a restart forgives nothing.
struct FailureCounts: Sendable {
  private let tokenDelay: FailureDelay
  private let kioskDelay: FailureDelay
  private let limit: Int
  private var tokens: [Digest: [MonotonicTime]] = [:]
  private var kiosk: [MonotonicTime] = []

  init(settings: DeskSettings) {
    tokenDelay = settings.tokenDelay
    kioskDelay = settings.keypadDelay
    limit = settings.rememberedFailures
  }

  /// Counts what a ledger remembers. Wall times become ages; one that lies in the future has the age zero.
  mutating func count(_ failures: [LedgerFailure], kiosk name: String, now: Moment) {
    for failure in failures {
      let seconds = now.wall.secondsSince1970.subtractingReportingOverflow(failure.time.secondsSince1970)
      guard !seconds.overflow else { continue }
      let age = Duration.seconds(max(0, seconds.partialValue))
      let time = now.monotonic + (.zero - age)
      count(failure.token, isHere: failure.kiosk == name, at: time, now: now.monotonic)
    }
  }

  /// Counts a failure at this kiosk.
  mutating func count(_ token: Digest, now: MonotonicTime) {
    count(token, isHere: true, at: now, now: now)
  }

  /// How long this token has to wait for its next session; zero: not at all.
  func wait(for token: Digest, now: MonotonicTime) -> Duration {
    FailureCounts.wait(tokens[token] ?? [], tokenDelay, now)
  }

  /// How long the keypad has to rest; zero: not at all.
  func keypadWait(now: MonotonicTime) -> Duration {
    FailureCounts.wait(kiosk, kioskDelay, now)
  }

  private mutating func count(_ token: Digest, isHere: Bool, at time: MonotonicTime, now: MonotonicTime) {
    if now - time < tokenDelay.memory {
      if tokens[token] == nil { makeRoom(now) }
      FailureCounts.add(time, to: &tokens[token, default: []], tokenDelay, now)
    }
    if isHere, now - time < kioskDelay.memory { FailureCounts.add(time, to: &kiosk, kioskDelay, now) }
  }

  /// Forgets tokens when there are too many: first those that count no more, then the one that was quiet longest.
  private mutating func makeRoom(_ now: MonotonicTime) {
    guard tokens.count >= limit else { return }
    let memory = tokenDelay.memory
    tokens = tokens.filter { entry in entry.value.contains { now - $0 < memory } }
    while tokens.count >= limit {
      var oldest: (token: Digest, time: MonotonicTime)?
      for (token, times) in tokens {
        guard let last = times.last else { continue }
        if oldest.map({ last < $0.time }) ?? true { oldest = (token, last) }
      }
      guard let oldest else { return }
      tokens[oldest.token] = nil
    }
  }

  /// Adds a time in its order, forgets those that count no more, and more than can make a difference.
  private static func add(
    _ time: MonotonicTime, to times: inout [MonotonicTime], _ policy: FailureDelay, _ now: MonotonicTime
  ) {
    times.removeAll { now - $0 >= policy.memory }
    let index = times.lastIndex { $0 <= time }.map { $0 + 1 } ?? 0
    times.insert(time, at: index)
    if times.count > policy.after + 64 { times.removeFirst() }
  }

  private static func wait(_ times: [MonotonicTime], _ policy: FailureDelay, _ now: MonotonicTime) -> Duration {
    let count = times.count { now - $0 < policy.memory }
    guard let last = times.last else { return .zero }
    return max(.zero, policy.delay(afterFailures: count) - (now - last))
  }
}
