public import CheckInCore

/// The kiosks that are here, made of sightings: names, smoothed strengths, and which are near. A value; time is an argument.
public struct NearbyKiosks: Sendable {
  /// A kiosk that was heard lately.
  public struct Kiosk: Hashable, Sendable {
    /// What to dial.
    public let endpoint: Endpoint
    /// Its name, once it was heard.
    public internal(set) var name: String?
    /// Which event, shortened.
    public internal(set) var event: ShortEventID
    /// Whether it was heard as one that the endpoint does not suffice for; see ``Sighting/needsTLS``.
    public internal(set) var needsTLS: Bool
    /// The last sighting's time.
    public internal(set) var lastHeard: ContinuousClock.Instant
    /// The first sighting's time.
    public let firstHeard: ContinuousClock.Instant
    var filter: ProximityFilter

    /// How strong it is, smoothed; nil where the receiver does not say.
    public var signal: SignalStrength? { filter.strength }
    /// Whether it is near.
    public var isNear: Bool { filter.isNear }
  }

  /// What a sighting or silence changed.
  public enum Change: Hashable, Sendable {
    /// A kiosk is here that was not.
    case appeared(Kiosk)
    /// Its name, its event or its need of TLS is another now.
    case renamed(Kiosk)
    /// It is near now.
    case arrived(Kiosk)
    /// It is near no more.
    case left(Kiosk)
    /// It was not heard for long.
    case vanished(Kiosk)
  }

  /// The most kiosks that are kept. Of more the one that was heard longest ago goes.
  public static let capacity = 64

  private let settings: ProximityFilter.Settings
  private let start: ContinuousClock.Instant
  private var kiosks: [Endpoint: Kiosk] = [:]

  /// Nobody is here yet. `start` is before every sighting.
  public init(_ settings: ProximityFilter.Settings, start: ContinuousClock.Instant = .now) {
    self.settings = settings
    self.start = start
  }

  /// The kiosks, the strongest first; those without a strength last, by name.
  public var all: [Kiosk] {
    kiosks.values.sorted { first, second in
      if first.signal != second.signal {
        guard let left = first.signal, let right = second.signal else { return first.signal != nil }
        return left > right
      }
      return (first.name ?? "", first.endpoint.address) < (second.name ?? "", second.endpoint.address)
    }
  }

  /// Takes a sighting, and answers what it changed, in order.
  public mutating func see(_ sighting: Sighting) -> [Change] {
    var changes: [Change] = []
    let known = kiosks[sighting.endpoint]
    if known == nil { changes = makeRoom() }
    var kiosk =
      known
      ?? Kiosk(
        endpoint: sighting.endpoint, name: sighting.kiosk, event: sighting.event, needsTLS: sighting.needsTLS,
        lastHeard: sighting.time, firstHeard: sighting.time, filter: ProximityFilter(settings))
    kiosk.lastHeard = max(kiosk.lastHeard, sighting.time)
    let isRenamed =
      kiosk.event != sighting.event || kiosk.needsTLS != sighting.needsTLS
      || (sighting.kiosk != nil && kiosk.name != sighting.kiosk)
    kiosk.event = sighting.event
    kiosk.needsTLS = sighting.needsTLS
    kiosk.name = sighting.kiosk ?? kiosk.name
    let time = MonotonicTime(sinceStart: sighting.time - start)
    let change = sighting.signal.flatMap { kiosk.filter.hear($0, at: time) }
    kiosks[sighting.endpoint] = kiosk
    if known == nil { changes.append(.appeared(kiosk)) }
    if isRenamed { changes.append(.renamed(kiosk)) }
    if let change { changes.append(change.about(kiosk)) }
    return changes
  }

  /// Says that it is `time`: who was not heard for long has gone.
  public mutating func advance(to time: ContinuousClock.Instant) -> [Change] {
    var changes: [Change] = []
    for var kiosk in kiosks.values.sorted(by: { $0.lastHeard < $1.lastHeard }) {
      if time - kiosk.lastHeard > settings.memory {
        kiosks[kiosk.endpoint] = nil
        if kiosk.isNear { changes.append(.left(kiosk)) }
        changes.append(.vanished(kiosk))
      } else if let change = kiosk.filter.advance(to: MonotonicTime(sinceStart: time - start)) {
        kiosks[kiosk.endpoint] = kiosk
        changes.append(change.about(kiosk))
      }
    }
    return changes
  }

  private mutating func makeRoom() -> [Change] {
    guard kiosks.count >= NearbyKiosks.capacity, let oldest = kiosks.values.min(by: { $0.lastHeard < $1.lastHeard })
    else { return [] }
    kiosks[oldest.endpoint] = nil
    return [.vanished(oldest)]
  }
}

extension ProximityFilter.Change {
  fileprivate func about(_ kiosk: NearbyKiosks.Kiosk) -> NearbyKiosks.Change {
    switch self {
    case .arrived: .arrived(kiosk)
    case .left: .left(kiosk)
    }
  }
}
