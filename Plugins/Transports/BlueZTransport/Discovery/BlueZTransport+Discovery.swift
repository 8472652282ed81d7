public import CheckIn

/// Low Energy alone can be advertised and looked for; with Classic both calls are ``/CheckIn/TransportError/Code/unsupported``.
extension BlueZTransport: DiscoverableTransport {
  /// `l2cap://`: the first controller.
  public var browsingPlace: Endpoint { Endpoint(scheme: scheme, address: "") }

  /// Advertises a listener with its controller: by `bluetoothd` where it runs, which also publishes the PSM for phones
  /// (GATT); else by the kernel's management interface, for which the program needs the capability CAP_NET_ADMIN.
  ///
  /// The listener may be anybody's. The advertisement ends with it when it is one of this transport, or of a copy of it.
  public func advertise(
    _ advertisement: Advertisement, at endpoint: Endpoint
  ) async throws(TransportError) -> any Advertiser {
    let isOurs = listeners.contains(endpoint)
    let advertiser = try await lowEnergy(endpoint).advertise(advertisement, at: endpoint)
    if isOurs { advertiser.end(with: listeners) }
    return advertiser
  }

  /// Looks for kiosks with a controller, such as `l2cap://hci1`, or the first; by `bluetoothd` or without, as advertising.
  public func browse(at place: Endpoint) async throws(TransportError) -> any Browser {
    try await lowEnergy(place).browse(at: place)
  }

  private func lowEnergy(_ endpoint: Endpoint) throws(TransportError) -> BlueZDiscovery {
    guard let discovery else {
      throw TransportError(.unsupported, "\(scheme):// has no discovery; l2cap:// has.")
    }
    return discovery
  }
}
