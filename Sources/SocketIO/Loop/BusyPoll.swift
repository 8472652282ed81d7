/// How a loop waits when it has nothing to do: where the wait before this was short, it looks again for as long as that, and
/// only then sleeps.
///
/// An idle core takes longer to wake than a program on the same machine takes to answer. Who is answered late, as every
/// peer on a network or a radio is, never polls: one short wait has to come first, and one long wait ends it. Where looking
/// finds nothing, because who is to answer needs this very core, it is done ever more seldom.
struct BusyPoll {
  /// How often at most it is left out between two tries.
  private static let mostLeftOut = 4_096

  /// How long it looks, and which waits are short.
  private let most: Duration
  private var wasShort = false
  /// How often it is to be left out: after the last try that found nothing, and from now on.
  private var penalty = 0
  private var leftOut = 0

  /// - Parameter most: zero: it always sleeps.
  init(_ most: Duration) {
    self.most = most
  }

  /// Waits until there are events.
  mutating func wait(for events: inout EventBuffer, on poller: Int32) {
    guard most > .zero else { return events.wait(on: poller, isIdle: true) }
    let start = ContinuousClock.now
    if wasShort, leftOut == 0 {
      repeat {
        events.wait(on: poller, isIdle: false)
        if events.count > 0 {
          penalty = 0
          return
        }
      } while ContinuousClock.now - start < most
      penalty = min(max(1, penalty * 2), Self.mostLeftOut)
      leftOut = penalty
    } else if wasShort {
      leftOut -= 1
    }
    events.wait(on: poller, isIdle: true)
    wasShort = ContinuousClock.now - start <= most
  }
}
