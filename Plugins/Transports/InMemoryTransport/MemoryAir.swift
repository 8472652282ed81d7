internal import CheckIn
internal import CheckInCore
internal import Synchronization

/// Who advertises in a world, how strong each is heard, and who listens.
final class MemoryAir: Sendable {
  private struct Beacon {
    let id: UInt64
    let endpoint: Endpoint
    let advertisement: Advertisement
    var signal = InMemoryTransport.Signal.strength(SignalStrength(decibelMilliwatts: -50))
    /// Changes with the signal, so that browsers hear the change at once.
    var revision: UInt64
    let end: EndBell
  }

  private struct Ears {
    /// What was heard last of each beacon.
    var heard: [UInt64: (revision: UInt64, time: ContinuousClock.Instant)] = [:]
    var waiter: Waiter<Void>?
  }

  private struct State {
    var beacons: [UInt64: Beacon] = [:]
    var ears: [UInt64: Ears] = [:]
    var last: UInt64 = 0

    mutating func next() -> UInt64 {
      last += 1
      return last
    }

    /// Has every browser look again.
    func waiters() -> [Waiter<Void>] { ears.values.compactMap(\.waiter) }
  }

  /// What a browser finds when it looks.
  enum Look {
    case sighting(Sighting)
    /// Nothing now; the next beacon comes then.
    case wait(ContinuousClock.Instant?)
    case closed
  }

  private let interval: Duration
  private let state = Mutex(State())

  init(interval: Duration) {
    self.interval = interval
  }

  /// Puts an advertisement out; nil when the endpoint has one. `end` rings when it is there no more.
  func advertise(_ advertisement: Advertisement, at endpoint: Endpoint, _ end: EndBell) -> UInt64? {
    let (id, waiters) = state.withLock { state -> (UInt64?, [Waiter<Void>]) in
      guard !state.beacons.values.contains(where: { $0.endpoint == endpoint }) else { return (nil, []) }
      let id = state.next()
      state.beacons[id] = Beacon(id: id, endpoint: endpoint, advertisement: advertisement, revision: id, end: end)
      return (id, state.waiters())
    }
    for waiter in waiters { waiter.settle(()) }
    return id
  }

  /// Takes an advertisement back; an error says that it ended by itself.
  func silence(_ id: UInt64, _ error: TransportError? = nil) {
    state.withLock { state in state.beacons.removeValue(forKey: id) }?.end.ring(error)
  }

  /// The listener is gone, and its advertisement with it.
  func silence(_ endpoint: Endpoint) {
    let id = state.withLock { state in state.beacons.values.first { $0.endpoint == endpoint }?.id }
    if let id { silence(id, .closedWhileAdvertised(endpoint)) }
  }

  /// Sets how strong an advertisement is heard; false when there is none.
  func set(_ signal: InMemoryTransport.Signal, of endpoint: Endpoint) -> Bool {
    let waiters = state.withLock { state -> [Waiter<Void>]? in
      guard var beacon = state.beacons.values.first(where: { $0.endpoint == endpoint }) else { return nil }
      beacon.signal = signal
      beacon.revision = state.next()
      state.beacons[beacon.id] = beacon
      return state.waiters()
    }
    guard let waiters else { return false }
    for waiter in waiters { waiter.settle(()) }
    return true
  }

  /// A new browser.
  func listen() -> UInt64 {
    state.withLock { state in
      let id = state.next()
      state.ears[id] = Ears()
      return id
    }
  }

  /// Ends a browser.
  func stopListening(_ id: UInt64) {
    state.withLock { state in state.ears.removeValue(forKey: id)?.waiter }?.settle(())
  }

  /// Looks for a beacon that is due for this browser; the waiter is woken when something changes.
  func look(_ id: UInt64, at now: ContinuousClock.Instant, _ waiter: Waiter<Void>) -> Look {
    state.withLock { state in
      guard var ears = state.ears[id] else { return .closed }
      precondition(ears.waiter == nil, "two tasks look with one browser at once")
      ears.heard = ears.heard.filter { state.beacons[$0.key] != nil }
      var first: (beacon: Beacon, due: ContinuousClock.Instant)?
      for beacon in state.beacons.values where beacon.signal != .none {
        let heard = ears.heard[beacon.id]
        // What was never heard, or changed, is due at once, and the longest unheard first.
        let due = heard.map { $0.revision == beacon.revision ? $0.time + interval : $0.time } ?? now - interval
        if first.map({ due < $0.due }) ?? true { first = (beacon, due) }
      }
      guard let (beacon, due) = first, due <= now else {
        ears.waiter = waiter
        state.ears[id] = ears
        return .wait(first?.due)
      }
      ears.heard[beacon.id] = (beacon.revision, now)
      state.ears[id] = ears
      return .sighting(
        Sighting(
          endpoint: beacon.endpoint, needsTLS: beacon.advertisement.carriesTLS, kiosk: beacon.advertisement.kiosk,
          event: beacon.advertisement.event, signal: beacon.signal.strength, time: now))
    }
  }

  /// The wait is over, however it ended.
  func leave(_ id: UInt64) {
    state.withLock { state in state.ears[id]?.waiter = nil }
  }
}

extension InMemoryTransport.Signal {
  fileprivate var strength: SignalStrength? {
    if case .strength(let strength) = self { strength } else { nil }
  }
}
