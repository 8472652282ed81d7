internal import CheckIn
internal import CheckInCore

/// A transport with the faults that its endpoints name.
struct FaultyTransport: Transport {
  let scheme: String
  private let inner: any Transport
  private let dialled: Counter

  init(_ inner: any Transport, scheme: String, dialled: Counter) {
    self.inner = inner
    self.scheme = scheme
    self.dialled = dialled
  }

  /// Those of the transport beneath, without discovery: what is advertised would be dialled without the faults.
  var capabilities: TransportCapabilities { inner.capabilities.subtracting(.discovery) }

  func connect(
    to endpoint: Endpoint, before deadline: Deadline?
  ) async throws(TransportError) -> any Connection {
    let (settings, names, beneath) = try read(endpoint)
    guard !Task.isCancelled else { throw TransportError(.cancelled, "Dialling \(endpoint) was cancelled.") }
    let number = dialled.next()
    let faults = ConnectionFaults(settings, .dialled, number)
    if settings.concern(number) {
      let draws = settings.draws(.dialled, number)
      if let delays = settings.dialDelay {
        try await sleep(.nanoseconds(draws.derived(1).pick(delays, at: 0)), before: deadline, faults, endpoint)
      }
      if draws.derived(2).happens(settings.refuse, at: 0) {
        throw faults.error(.refused, "Dialling \(endpoint) was refused", .refuse)
      }
    }
    let connection: any Connection
    do throws(TransportError) {
      connection = try await inner.connect(to: beneath, before: deadline)
    } catch {
      throw FaultParameter.explained(error, rest: beneath.parameters)
    }
    return FaultyConnection(connection, faults, names, capabilities)
  }

  func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    let (settings, names, beneath) = try read(endpoint)
    let listener: any Listener
    do throws(TransportError) {
      listener = try await inner.listen(on: beneath)
    } catch {
      throw FaultParameter.explained(error, rest: beneath.parameters)
    }
    return FaultyListener(listener, settings, names, capabilities)
  }

  private func read(
    _ endpoint: Endpoint
  ) throws(TransportError) -> (settings: FaultSettings, names: FaultNames, beneath: Endpoint) {
    guard endpoint.scheme == scheme else {
      throw TransportError(.unsupported, "This transport serves \(scheme)://, not \(endpoint.scheme)://.")
    }
    let (settings, own, rest) = try FaultSettings.read(endpoint)
    let beneath = Endpoint(scheme: inner.scheme, address: endpoint.address, parameters: rest)
    return (settings, FaultNames(own: own), beneath)
  }

  private func sleep(
    _ delay: Duration, before deadline: Deadline?, _ faults: ConnectionFaults, _ endpoint: Endpoint
  ) async throws(TransportError) {
    let end = ContinuousClock.now + delay
    do {
      try await Task.sleep(until: min(end, deadline ?? end), clock: .continuous)
    } catch {
      throw TransportError(.cancelled, "Dialling \(endpoint) was cancelled.")
    }
    if let deadline, deadline <= end {
      throw faults.error(.timedOut, "Dialling \(endpoint) did not end in time", .dialDelay)
    }
  }
}

/// Says the endpoints of the transport beneath as ours: with the prefix, and with the parameters that make the faults.
struct FaultNames: Sendable {
  private let own: [Endpoint.Parameter]

  init(own: [Endpoint.Parameter]) {
    self.own = own
  }

  /// Our name of an endpoint beneath.
  func name(_ beneath: Endpoint) -> Endpoint {
    Endpoint(scheme: "fault+\(beneath.scheme)", address: beneath.address, parameters: beneath.parameters + own)
  }
}
