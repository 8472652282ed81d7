internal import CheckInCore
internal import Synchronization

/// Keeps a kiosk's listeners advertised: what ends by itself is put out again, after pauses that grow.
final class KioskAdvertising: Sendable {
  private static let firstPause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(30)

  private let advertisement: Advertisement
  private let clock: any CheckInClock
  private let registry: TransportRegistry
  private let report: @Sendable (KioskReport) -> Void
  /// What was begun and is not run yet: an advertiser, or nil where the first attempt failed.
  private let begun = Mutex<[(endpoint: Endpoint, advertiser: (any Advertiser)?)]>([])

  init(
    _ advertisement: Advertisement, clock: any CheckInClock, registry: TransportRegistry,
    report: @escaping @Sendable (KioskReport) -> Void
  ) {
    self.advertisement = advertisement
    self.clock = clock
    self.registry = registry
    self.report = report
  }

  /// Advertises those of the endpoints whose transports have discovery.
  ///
  /// - Throws: when none has it, and when one fails in a way that time does not mend; nothing is advertised then.
  func begin(at endpoints: [Endpoint]) async throws(TransportError) {
    var found = false
    do throws(TransportError) {
      for endpoint in endpoints where (try? registry.discoverableTransport(for: endpoint)) != nil {
        found = true
        let advertiser = try await firstAttempt(at: endpoint)
        begun.withLock { $0.append((endpoint, advertiser)) }
      }
      guard found else {
        let schemes = registry.browsingPlaces.map { "\($0.scheme)://" }
        let verb = schemes.count > 1 ? "have" : "has"
        let who = schemes.isEmpty ? "No transport here has" : "Only \(schemes.inWords) \(verb)"
        throw TransportError(.unsupported, "None of the addresses can be advertised. \(who) discovery.")
      }
    } catch {
      for (_, advertiser) in begun.withLock({ $0 }) { await advertiser?.stop() }
      throw error
    }
  }

  /// Reports what was begun.
  func reportBegun() {
    for (endpoint, advertiser) in begun.withLock({ $0 }) where advertiser != nil { report(.advertising(endpoint)) }
  }

  /// Advertises until the task is cancelled, and takes everything back then.
  func run() async {
    let begun = begun.withLock { begun in
      defer { begun = [] }
      return begun
    }
    await withDiscardingTaskGroup { group in
      for (endpoint, advertiser) in begun {
        group.addTask { await self.keep(advertiser, at: endpoint) }
      }
    }
  }

  private func firstAttempt(at endpoint: Endpoint) async throws(TransportError) -> (any Advertiser)? {
    do throws(TransportError) {
      return try await registry.advertise(advertisement, at: endpoint)
    } catch {
      // A controller may be switched on later. A permission that is missing stays away.
      guard ![.permissionDenied, .unsupported, .addressMalformed, .cancelled].contains(error.code) else { throw error }
      report(.advertisingFailed(endpoint, error))
      return nil
    }
  }

  private func keep(_ first: (any Advertiser)?, at endpoint: Endpoint) async {
    var advertiser = first
    var pause = KioskAdvertising.firstPause
    while true {
      if let current = advertiser {
        let began = clock.now.monotonic
        guard let error = await failure(of: current) else { return }
        report(.advertisingFailed(endpoint, error))
        if clock.now.monotonic - began > KioskAdvertising.longestPause { pause = KioskAdvertising.firstPause }
      }
      do throws(CancellationError) {
        try await clock.sleep(until: clock.now.monotonic + pause)
      } catch {
        return
      }
      pause = min(pause + pause, KioskAdvertising.longestPause)
      do throws(TransportError) {
        advertiser = try await registry.advertise(advertisement, at: endpoint)
        report(.advertising(endpoint))
      } catch {
        guard error.code != .cancelled else { return }
        advertiser = nil
        report(.advertisingFailed(endpoint, error))
      }
    }
  }

  /// Waits until the advertisement ends; nil when it was taken back, by a cancelled task too.
  private func failure(of advertiser: any Advertiser) async -> TransportError? {
    let failure: TransportError?
    do throws(TransportError) {
      try await advertiser.ended()
      failure = nil
    } catch {
      failure = error.code == .cancelled ? nil : error
    }
    await advertiser.stop()
    return failure
  }
}
