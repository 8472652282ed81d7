public import CheckIn
public import CheckInCore

extension InMemoryTransport: DiscoverableTransport {
  /// How an advertised listener is heard.
  public enum Signal: Hashable, Sendable {
    /// So strong.
    case strength(SignalStrength)
    /// Heard, by a receiver that does not say how strong.
    case unknown
    /// Not at all: out of reach.
    case none
  }

  /// This world: `memory://` and nothing else.
  public var browsingPlace: Endpoint { Endpoint(scheme: scheme, address: "") }

  /// Tells the browsers of this world of a listener, with a strength of −50 dBm until ``setSignal(_:of:)`` says otherwise.
  ///
  /// - Throws: ``/CheckIn/TransportError/Code/addressUnavailable`` where nobody listens there.
  public func advertise(
    _ advertisement: Advertisement, at endpoint: Endpoint
  ) async throws(TransportError) -> any Advertiser {
    let name = try name(of: endpoint)
    guard !Task.isCancelled else { throw .cancelled("Advertising \(endpoint)") }
    guard hasListener(name) else {
      throw TransportError(
        .addressUnavailable, "Nobody listens at \(endpoint), so it cannot be advertised. Start the listener first.")
    }
    let end = EndBell()
    guard let id = air.advertise(advertisement, at: endpoint, end) else {
      throw TransportError(.addressInUse, "\(endpoint) is advertised already. Stop the other advertiser first.")
    }
    let advertiser = MemoryAdvertiser(endpoint: endpoint, id: id, air: air, end: end)
    // A listener that was closed meanwhile took only what was out then.
    if !hasListener(name) { air.silence(id, .closedWhileAdvertised(endpoint)) }
    return advertiser
  }

  /// Looks for the listeners of this world that are advertised.
  public func browse(at place: Endpoint) async throws(TransportError) -> any Browser {
    guard place.scheme == scheme else {
      throw TransportError(.unsupported, "The in-memory transport serves memory://, not \(place.scheme)://.")
    }
    guard place == browsingPlace else {
      throw TransportError(
        .addressMalformed, "“\(place)” is no place to look for kiosks: in memory there is only memory://.")
    }
    guard !Task.isCancelled else { throw .cancelled("Looking for kiosks") }
    return MemoryBrowser(place: place, air: air)
  }

  /// Sets how the browsers hear an advertised listener from now on, as if it, or they, moved. They hear it at once.
  ///
  /// - Throws: ``/CheckIn/TransportError/Code/addressUnavailable`` when the listener is not advertised.
  public func setSignal(_ signal: Signal, of endpoint: Endpoint) throws(TransportError) {
    guard air.set(signal, of: endpoint) else {
      throw TransportError(.addressUnavailable, "\(endpoint) is not advertised.")
    }
  }
}
