package import CheckIn
package import CheckInCore

/// Shows a search for kiosks, and asks the person where there is a choice.
package protocol KioskSearchDisplay: Sendable {
  /// The search has begun.
  func began(at places: [Endpoint])
  /// A kiosk of the event came, changed or went.
  func changed(_ change: NearbyKiosks.Change)
  /// A place cannot be looked at.
  func failed(_ place: Endpoint, _ error: TransportError)
  /// This is what is here now, some time after the beginning; several times a second.
  func show(_ chooser: KioskChooser, after elapsed: Duration)
  /// Lets the person choose. Ends when the task is cancelled, with ``KioskAnswer/quit``.
  func ask(_ kiosks: [NearbyKiosks.Kiosk]) async -> KioskAnswer
  /// The search is over; nil: somebody gave it up.
  func ended(with result: Result<NearbyKiosks.Kiosk?, KioskSearchFailure>)
}

/// What the person says to a list of kiosks.
package enum KioskAnswer: Sendable {
  /// That one.
  case kiosk(NearbyKiosks.Kiosk)
  /// Look again.
  case again
  /// Give up.
  case quit
  /// There is nobody to ask.
  case nobody
}

/// Finds the kiosk to dial.
package struct KioskFinder: Sendable {
  private let registry: TransportRegistry
  private let places: [Endpoint]
  private let insideTLS: Bool
  private let event: ShortEventID
  private let near: SignalStrength?
  private let bound: Duration
  private let display: any KioskSearchDisplay

  /// A finder.
  ///
  /// - Parameters:
  ///   - places: where to look.
  ///   - insideTLS: whether this phone can speak TLS. Then it looks inside TLS everywhere, and so dials nothing else: what is
  ///     advertised is nobody's word, and whoever took the TLS out of it would have the ticket sent in the clear.
  ///   - event: whose kiosks count.
  ///   - near: see ``KioskChooser``.
  ///   - bound: how long to look before giving up. A person who is asked may take as long as they like.
  package init(
    registry: TransportRegistry, places: [Endpoint], insideTLS: Bool = false, event: ShortEventID,
    near: SignalStrength?, bound: Duration, display: any KioskSearchDisplay
  ) {
    self.registry = registry
    self.places = places.map { insideTLS && !$0.scheme.hasPrefix("tls+") ? $0.withScheme("tls+\($0.scheme)") : $0 }
    self.insideTLS = insideTLS
    self.event = event
    self.near = near
    self.bound = bound
    self.display = display
  }

  /// Looks until there is a kiosk to dial; nil when the person, or a cancelled task, gives up.
  ///
  /// - Throws: ``ExitStatus/unavailable`` when there is none in time, none can be chosen, or no place can be looked at.
  package func find() async throws(ExampleError) -> NearbyKiosks.Kiosk? {
    for place in places {
      do throws(TransportError) {
        _ = try registry.discoverableTransport(for: place)
      } catch {
        throw ExampleError(error)
      }
    }
    guard !places.isEmpty else {
      throw ExampleError(.usage, "This program has no transport with discovery. Use --connect and the kiosk's address.")
    }
    display.began(at: places)
    let result = await KioskSearch.run(at: places, over: registry) { events in await choose(from: events) }
    display.ended(with: result)
    return try result.mapError { ExampleError($0) }.get()
  }

  private func choose(
    from events: AsyncStream<KioskSearch.Event>
  ) async -> Result<NearbyKiosks.Kiosk?, KioskSearchFailure> {
    let start = ContinuousClock.now
    var end = start + bound
    var chooser = KioskChooser(event: event, near: near, start: start)
    // Where it can be looked now.
    var looked = Dictionary(uniqueKeysWithValues: Set(places).map { ($0, $0) })
    for await event in events {
      switch event {
      case .began(let place, let now): looked[place] = now
      case .failed(let place, let error):
        looked[place] = nil
        guard !looked.isEmpty else { return .failure(KioskSearchFailure(error, at: place)) }
        display.failed(place, error)
      case .sighting(let sighting):
        chooser.see(sighting).forEach(display.changed)
      case .tick(let now):
        chooser.advance(to: now).forEach(display.changed)
        display.show(chooser, after: now - start)
        guard now < end else {
          return .failure(
            KioskSearchFailure(
              chooser, near: near, at: Array(looked.values), insideTLS: insideTLS, after: bound))
        }
      }
      switch chooser.decision(at: .now) {
      case .look: continue
      case .dial(let kiosk): return .success(kiosk)
      case .ask(let kiosks):
        switch await display.ask(kiosks) {
        case .kiosk(let kiosk): return .success(kiosk)
        case .quit: return .success(nil)
        case .nobody: return .failure(KioskSearchFailure(among: kiosks))
        case .again:
          // What waited meanwhile is old, and the list begins anew.
          chooser = KioskChooser(event: self.event, near: near)
          end = .now + bound
        }
      }
    }
    return .success(nil)
  }
}
