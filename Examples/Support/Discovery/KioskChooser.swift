package import CheckIn
package import CheckInCore

/// Decides which kiosk to dial, of those that are heard. A value; time is an argument.
package struct KioskChooser: Sendable {
  /// What to do now.
  package enum Decision: Hashable, Sendable {
    /// Go on looking.
    case look
    /// Dial this one.
    case dial(NearbyKiosks.Kiosk)
    /// Let the person choose among these.
    case ask([NearbyKiosks.Kiosk])
  }

  /// How long one kiosk has to be there before it is the only one.
  package static let settling = Duration.seconds(2)
  /// From which strength on a kiosk is called near, where nobody says.
  package static let usualNear = SignalStrength(decibelMilliwatts: -60)

  /// The kiosks that are here, of all events.
  package private(set) var kiosks: NearbyKiosks
  private let event: ShortEventID
  private let waitsForNear: Bool

  /// A chooser that has heard nothing.
  ///
  /// - Parameters:
  ///   - event: whose kiosks count; others are shown and never dialled. Neither are those that want TLS where the search is
  ///     without it.
  ///   - near: from which strength on a kiosk is dialled by itself; nil: the only one is, and of several the person chooses.
  package init(event: ShortEventID, near: SignalStrength?, start: ContinuousClock.Instant = .now) {
    self.event = event
    waitsForNear = near != nil
    kiosks = NearbyKiosks(.init(arrive: near ?? KioskChooser.usualNear), start: start)
  }

  /// The kiosks of the event that can be dialled, the strongest first.
  package var candidates: [NearbyKiosks.Kiosk] { kiosks.all.filter(counts) }
  /// How many kiosks of other events are here.
  package var strangers: Int { kiosks.all.count { $0.event != event } }
  /// How many kiosks of the event are here that want TLS, which this search is without.
  package var wantingTLS: Int { kiosks.all.count { $0.event == event && $0.needsTLS } }

  private func counts(_ kiosk: NearbyKiosks.Kiosk) -> Bool { kiosk.event == event && !kiosk.needsTLS }

  /// Takes a sighting, and answers what it changed among the candidates.
  package mutating func see(_ sighting: Sighting) -> [NearbyKiosks.Change] {
    kiosks.see(sighting).filter { counts($0.kiosk) }
  }

  /// Says that it is `time`, and answers what that changed among the candidates.
  package mutating func advance(to time: ContinuousClock.Instant) -> [NearbyKiosks.Change] {
    kiosks.advance(to: time).filter { counts($0.kiosk) }
  }

  /// What to do at `time`.
  package func decision(at time: ContinuousClock.Instant) -> Decision {
    let candidates = candidates
    if waitsForNear { return candidates.first(where: \.isNear).map { .dial($0) } ?? .look }
    guard let first = candidates.map(\.firstHeard).min(), time - first >= KioskChooser.settling else { return .look }
    return candidates.count == 1 ? .dial(candidates[0]) : .ask(candidates)
  }
}

extension NearbyKiosks.Change {
  /// The kiosk that changed.
  package var kiosk: NearbyKiosks.Kiosk {
    switch self {
    case .appeared(let kiosk), .renamed(let kiosk), .arrived(let kiosk), .left(let kiosk), .vanished(let kiosk): kiosk
    }
  }
}
