internal import CheckIn
internal import CheckInCore
internal import InMemoryTransport
internal import Synchronization
internal import Testing
internal import TransportConformance

/// A transport whose discovery is broken in one way, over the one in memory.
struct DiscoveryMutant: Sendable, CustomTestStringConvertible {
  /// The check that was written for it.
  let check: String
  /// What it does wrong: the rest of the sentence “A transport that …”.
  let fault: String
  /// Made anew for each run, as it may have state.
  let hooks: @Sendable () -> DiscoveryHooks

  init(_ check: String, _ fault: String, _ hooks: @escaping @Sendable () -> DiscoveryHooks) {
    self.check = check
    self.fault = fault
    self.hooks = hooks
  }

  var testDescription: String { "a transport that \(fault)" }

  func subject(isBroken: Bool, timeFactor: Double) -> ConformanceSubject {
    let hooks = isBroken ? hooks() : DiscoveryHooks()
    var subject = ConformanceSubject(
      DiscoveryHookedTransport(base: InMemoryTransport(), hooks: hooks), addresses: .names(scheme: "memory"),
      timeFactor: timeFactor, openResources: hooks.openResources)
    subject.end = {}
    return subject
  }

  static let all: [DiscoveryMutant] = [
    DiscoveryMutant("V1-other-scheme", "advertises and looks whatever the scheme is") {
      DiscoveryHooks(endpoint: { endpoint in Endpoint(scheme: "memory", address: endpoint.address) })
    },
    DiscoveryMutant("V1-malformed", "looks anywhere") {
      DiscoveryHooks(place: { _ in Endpoint(scheme: "memory", address: "") })
    },
    DiscoveryMutant("V2-names", "refuses a long name") {
      DiscoveryHooks(advertise: { base, advertisement, endpoint throws(TransportError) in
        guard advertisement.kiosk.utf8.count < 100 else { throw .broken(.tooLarge) }
        return try await base.advertise(advertisement, at: endpoint)
      })
    },
    DiscoveryMutant("V2-names", "advertises another name") {
      DiscoveryHooks(advertise: { base, advertisement, endpoint throws(TransportError) in
        try await base.advertise(Advertisement(kiosk: "Kiosk", event: advertisement.event), at: endpoint)
      })
    },
    DiscoveryMutant("V4-cancelled", "does not notice that its task is cancelled, and advertises on") {
      let kept = Shared<[any Advertiser]>([])
      return DiscoveryHooks(advertise: { base, advertisement, endpoint throws(TransportError) in
        guard Task.isCancelled else { return try await base.advertise(advertisement, at: endpoint) }
        if let advertiser = try? await Task(operation: { try await base.advertise(advertisement, at: endpoint) }).value
        {
          kept.change { $0.append(advertiser) }
        }
        throw .broken(.cancelled)
      })
    },
    DiscoveryMutant("A1-found", "advertises another event") {
      DiscoveryHooks(advertise: { base, advertisement, endpoint throws(TransportError) in
        try await base.advertise(
          Advertisement(kiosk: advertisement.kiosk, event: ShortEventID(rawValue: 1)), at: endpoint)
      })
    },
    DiscoveryMutant("A1-found", "gives a place that cannot be dialled") {
      DiscoveryHooks(sighting: { sighting in sighting.at(Endpoint(scheme: "memory", address: "nobody")) })
    },
    DiscoveryMutant("A1-tls", "forgets that a kiosk speaks TLS") {
      DiscoveryHooks(sighting: { sighting in sighting.needing(tls: false) })
    },
    DiscoveryMutant("A1-tls", "says of every kiosk that it speaks TLS") {
      DiscoveryHooks(sighting: { sighting in sighting.needing(tls: true) })
    },
    DiscoveryMutant("A2-after-connections", "advertises until somebody connects") {
      let advertisers = Shared<[any Advertiser]>([])
      return DiscoveryHooks(
        advertised: { advertiser in advertisers.change { $0.append(advertiser) } },
        dialled: { for advertiser in advertisers.value { await advertiser.stop() } })
    },
    DiscoveryMutant("A3-stopped", "goes on after stop") { DiscoveryHooks(stopAdvertiser: { _ in }) },
    DiscoveryMutant("A3-often", "hangs in a second stop") {
      let stops = Shared(0)
      return DiscoveryHooks(stopAdvertiser: { advertiser in
        let count = stops.change {
          $0 += 1
          return $0
        }
        guard count == 1 else { return await forever() }
        await advertiser.stop()
      })
    },
    DiscoveryMutant("A4-ended", "leaves those waiting who wait for the end") {
      DiscoveryHooks(ended: { _ throws(TransportError) in await forever() })
    },
    DiscoveryMutant("A4-cancelled", "ends when a wait for its end is cancelled") {
      DiscoveryHooks(ended: { advertiser throws(TransportError) in
        do throws(TransportError) {
          try await advertiser.ended()
        } catch {
          await advertiser.stop()
          throw error
        }
      })
    },
    DiscoveryMutant("A4-listener", "does not say that its listener was closed") {
      DiscoveryHooks(ended: { advertiser throws(TransportError) in
        do throws(TransportError) {
          try await advertiser.ended()
        } catch {
          guard error.code == .closed else { throw error }
        }
      })
    },
    DiscoveryMutant("A5-dropped", "goes on when its advertiser is dropped") {
      let kept = Shared<[any Advertiser]>([])
      return DiscoveryHooks(advertised: { advertiser in kept.change { $0.append(advertiser) } })
    },
    DiscoveryMutant("B1-again", "gives each kiosk once") {
      let seen = Shared<Set<Endpoint>>([])
      return DiscoveryHooks(next: { browser, deadline throws(TransportError) in
        while true {
          let sighting = try await browser.next(before: deadline)
          if seen.change({ $0.insert(sighting.endpoint).inserted }) { return sighting }
        }
      })
    },
    DiscoveryMutant("B1-again", "gives sightings that grow older") {
      let last = Shared(ContinuousClock.now)
      return DiscoveryHooks(sighting: { sighting in
        sighting.heard(
          last.change {
            $0 -= .milliseconds(1)
            return $0
          })
      })
    },
    DiscoveryMutant("B4-deadline", "fails for good when a deadline passes") {
      let isOver = Shared(false)
      return DiscoveryHooks(next: { browser, deadline throws(TransportError) in
        if isOver.value { throw .broken(.lost) }
        do throws(TransportError) {
          return try await browser.next(before: deadline)
        } catch {
          if error.code == .timedOut { isOver.value = true }
          throw error
        }
      })
    },
    DiscoveryMutant("B4-cancelled", "stops when a wait is cancelled") {
      DiscoveryHooks(next: { browser, deadline throws(TransportError) in
        do throws(TransportError) {
          return try await browser.next(before: deadline)
        } catch {
          if error.code == .cancelled { await browser.stop() }
          throw error
        }
      })
    },
    DiscoveryMutant("B5-stop", "leaves the one waiting who looks when it is stopped") {
      DiscoveryHooks(stopBrowser: { _ in })
    },
    DiscoveryMutant("B7-together", "stops every look-out with one") {
      let browsers = Shared<[any Browser]>([])
      return DiscoveryHooks(
        stopBrowser: { _ in for browser in browsers.value { await browser.stop() } },
        browsed: { browser in browsers.change { $0.append(browser) } })
    },
    DiscoveryMutant("B8-dropped", "keeps something of each look-out open") {
      let count = Shared(0)
      return DiscoveryHooks(browsed: { _ in count.change { $0 += 1 } }, openResources: { count.value })
    },
  ]
}

/// Waits until the task is cancelled, and much longer.
private func forever() async {
  await Task { try? await Task.sleep(for: .seconds(60)) }.value
}

extension Sighting {
  fileprivate func at(_ endpoint: Endpoint) -> Sighting {
    Sighting(endpoint: endpoint, kiosk: kiosk, event: event, signal: signal, time: time)
  }

  fileprivate func needing(tls needsTLS: Bool) -> Sighting {
    Sighting(endpoint: endpoint, needsTLS: needsTLS, kiosk: kiosk, event: event, signal: signal, time: time)
  }

  fileprivate func heard(_ time: ContinuousClock.Instant) -> Sighting {
    Sighting(endpoint: endpoint, kiosk: kiosk, event: event, signal: signal, time: time)
  }
}
