/// How a loop waits when it has nothing to do: where the wait before this was short, it looks again for as long as that, and
/// only then sleeps.
///
/// An idle core takes longer to wake than a program on the same machine takes to answer. Who is answered late, as every
/// peer on a network or a radio is, never polls: one short wait has to come first, and one long wait ends it.
struct BusyPoll {
  /// How long it looks, and which waits are short.
  private let most: Duration
  private var wasShort = false

  /// - Parameter most: zero: it always sleeps.
  init(_ most: Duration) {
    self.most = most
  }

  /// Waits until there are events.
  mutating func wait(for events: inout EventBuffer, on poller: Int32) {
    guard most > .zero else { return events.wait(on: poller, isIdle: true) }
    let start = ContinuousClock.now
    if wasShort {
      repeat {
        events.wait(on: poller, isIdle: false)
        if events.count > 0 { return }
      } while ContinuousClock.now - start < most
    }
    events.wait(on: poller, isIdle: true)
    wasShort = ContinuousClock.now - start <= most
  }
}
