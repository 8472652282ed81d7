internal import CheckIn

/// Discovery is that of the transport beneath. A listener is advertised as one that speaks TLS, and of those that are heard
/// only such are given, to be dialled with TLS. What is heard is nobody's word: a kiosk whose advertisement denies TLS is not
/// given, and one that claims it is dialled with TLS all the same, so neither can make anyone speak in the clear.
extension TLSWrappedTransport: DiscoverableTransport {
  var browsingPlace: Endpoint {
    (inner as? any DiscoverableTransport)?.browsingPlace.withScheme(scheme) ?? Endpoint(scheme: scheme, address: "")
  }

  func advertise(
    _ advertisement: Advertisement, at endpoint: Endpoint
  ) async throws(TransportError) -> any Advertiser {
    var advertisement = advertisement
    advertisement.carriesTLS = true
    return TLSAdvertiser(
      try await discovery(of: endpoint).advertise(advertisement, at: beneath(endpoint)), endpoint: endpoint)
  }

  func browse(at place: Endpoint) async throws(TransportError) -> any Browser {
    let (discovery, beneath) = (try discovery(of: place), try beneath(place))
    // Without it nothing that is found could be dialled.
    _ = try wrapper.context(.dialling, for: place)
    return TLSBrowser(try await discovery.browse(at: beneath), place: place, scheme: scheme)
  }

  private func discovery(of endpoint: Endpoint) throws(TransportError) -> any DiscoverableTransport {
    guard let found = inner as? any DiscoverableTransport else {
      throw TransportError(.unsupported, "\(endpoint.scheme):// has no discovery, as \(inner.scheme):// has none.")
    }
    return found
  }
}

/// An advertisement beneath, under the listener's own endpoint.
private final class TLSAdvertiser: Advertiser {
  let endpoint: Endpoint
  private let inner: any Advertiser

  init(_ inner: any Advertiser, endpoint: Endpoint) {
    self.inner = inner
    self.endpoint = endpoint
  }

  func ended() async throws(TransportError) {
    try await inner.ended()
  }

  func stop() async {
    await inner.stop()
  }
}

/// A look-out beneath that gives only those who speak TLS.
private final class TLSBrowser: Browser {
  let place: Endpoint
  private let inner: any Browser
  private let scheme: String

  init(_ inner: any Browser, place: Endpoint, scheme: String) {
    self.inner = inner
    self.place = place
    self.scheme = scheme
  }

  var placeNow: Endpoint { inner.placeNow.withScheme(scheme) }

  func next(before deadline: Deadline?) async throws(TransportError) -> Sighting {
    while true {
      let heard = try await inner.next(before: deadline)
      guard heard.needsTLS else { continue }
      return Sighting(
        endpoint: heard.endpoint.withScheme(scheme), kiosk: heard.kiosk, event: heard.event, signal: heard.signal,
        time: heard.time)
    }
  }

  func stop() async {
    await inner.stop()
  }
}
