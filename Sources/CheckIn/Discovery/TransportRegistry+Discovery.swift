extension TransportRegistry {
  /// Where kiosks can be looked for: the places of all transports that have discovery.
  public var browsingPlaces: [Endpoint] {
    schemes.compactMap { scheme in
      (try? discoverableTransport(for: Endpoint(scheme: scheme, address: "")))?.browsingPlace
    }
  }

  /// The transport for an endpoint, if its listeners can be found.
  ///
  /// - Throws: ``TransportError/Code/unsupported`` when there is no such transport, or it has no discovery.
  public func discoverableTransport(for endpoint: Endpoint) throws(TransportError) -> any DiscoverableTransport {
    let transport = try transport(for: endpoint)
    guard transport.capabilities.contains(.discovery), let found = transport as? any DiscoverableTransport else {
      throw TransportError(
        .unsupported,
        "\(endpoint.scheme):// has no discovery: kiosks there can be dialled by their address, and not be found.")
    }
    return found
  }

  /// Looks for kiosks with the transport that the place's scheme names; see ``DiscoverableTransport/browse(at:)``.
  public func browse(at place: Endpoint) async throws(TransportError) -> any Browser {
    try await discoverableTransport(for: place).browse(at: place)
  }

  /// Advertises a listener with the transport that its scheme names; see ``DiscoverableTransport/advertise(_:at:)``.
  public func advertise(
    _ advertisement: Advertisement, at endpoint: Endpoint
  ) async throws(TransportError) -> any Advertiser {
    try await discoverableTransport(for: endpoint).advertise(advertisement, at: endpoint)
  }
}
