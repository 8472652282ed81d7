internal import CheckIn
internal import CheckInCore

/// Where a transport's discovery does something else than the one beneath it. What is nil is passed on.
struct DiscoveryHooks: Sendable {
  typealias Advertise =
    @Sendable (any DiscoverableTransport, Advertisement, Endpoint) async throws(TransportError) ->
    any Advertiser

  /// Which endpoint both calls see.
  var endpoint: (@Sendable (Endpoint) -> Endpoint)?
  /// Where a look-out looks.
  var place: (@Sendable (Endpoint) -> Endpoint)?
  var advertise: Advertise?
  var stopAdvertiser: (@Sendable (any Advertiser) async -> Void)?
  var ended: (@Sendable (any Advertiser) async throws(TransportError) -> Void)?
  var next: (@Sendable (any Browser, Deadline?) async throws(TransportError) -> Sighting)?
  var sighting: (@Sendable (Sighting) -> Sighting)?
  var stopBrowser: (@Sendable (any Browser) async -> Void)?
  /// Told of what was made.
  var advertised: (@Sendable (any Advertiser) -> Void)?
  var browsed: (@Sendable (any Browser) -> Void)?
  /// Told of each connection.
  var dialled: (@Sendable () async -> Void)?
  var openResources: @Sendable () -> Int = { 0 }
}

/// A transport over another one, with hooks.
struct DiscoveryHookedTransport: DiscoverableTransport {
  let base: any DiscoverableTransport
  let hooks: DiscoveryHooks

  var scheme: String { base.scheme }
  var capabilities: TransportCapabilities { base.capabilities }
  var browsingPlace: Endpoint { base.browsingPlace }

  func connect(to endpoint: Endpoint, before deadline: Deadline?) async throws(TransportError) -> any Connection {
    let connection = try await base.connect(to: endpoint, before: deadline)
    await hooks.dialled?()
    return connection
  }

  func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    try await base.listen(on: endpoint)
  }

  func advertise(
    _ advertisement: Advertisement, at endpoint: Endpoint
  ) async throws(TransportError) -> any Advertiser {
    let endpoint = hooks.endpoint?(endpoint) ?? endpoint
    let advertiser =
      if let advertise = hooks.advertise { try await advertise(base, advertisement, endpoint) } else {
        try await base.advertise(advertisement, at: endpoint)
      }
    hooks.advertised?(advertiser)
    return HookedAdvertiser(advertiser, hooks)
  }

  func browse(at place: Endpoint) async throws(TransportError) -> any Browser {
    let browser = try await base.browse(at: hooks.place?(place) ?? hooks.endpoint?(place) ?? place)
    hooks.browsed?(browser)
    return HookedBrowser(browser, hooks)
  }
}

private final class HookedAdvertiser: Advertiser {
  private let base: any Advertiser
  private let hooks: DiscoveryHooks

  init(_ base: any Advertiser, _ hooks: DiscoveryHooks) {
    self.base = base
    self.hooks = hooks
  }

  var endpoint: Endpoint { base.endpoint }

  func ended() async throws(TransportError) {
    if let ended = hooks.ended { try await ended(base) } else { try await base.ended() }
  }

  func stop() async {
    if let stop = hooks.stopAdvertiser { await stop(base) } else { await base.stop() }
  }
}

private final class HookedBrowser: Browser {
  private let base: any Browser
  private let hooks: DiscoveryHooks

  init(_ base: any Browser, _ hooks: DiscoveryHooks) {
    self.base = base
    self.hooks = hooks
  }

  var place: Endpoint { base.place }

  func next(before deadline: Deadline?) async throws(TransportError) -> Sighting {
    let sighting =
      if let next = hooks.next { try await next(base, deadline) } else { try await base.next(before: deadline) }
    return hooks.sighting?(sighting) ?? sighting
  }

  func stop() async {
    if let stop = hooks.stopBrowser { await stop(base) } else { await base.stop() }
  }
}
