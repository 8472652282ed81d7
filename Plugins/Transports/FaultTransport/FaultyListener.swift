internal import CheckIn

/// A listener whose accepts fail, and whose connections have faults, as the settings say.
final class FaultyListener: Listener {
  let endpoint: Endpoint
  private let inner: any Listener
  private let settings: FaultSettings
  private let names: FaultNames
  private let capabilities: TransportCapabilities
  private let calls = Counter()
  private let accepted = Counter()

  init(_ inner: any Listener, _ settings: FaultSettings, _ names: FaultNames, _ capabilities: TransportCapabilities) {
    self.inner = inner
    self.settings = settings
    self.names = names
    self.capabilities = capabilities
    endpoint = names.name(inner.endpoint)
  }

  func accept() async throws(TransportError) -> any Connection {
    if settings.failAccept != .never {
      let call = calls.next()
      if settings.concern(call), settings.draws(.accepted, call).derived(3).happens(settings.failAccept, at: 0) {
        throw ConnectionFaults(settings, .accepted, call).error(
          .resourcesExhausted, "Accepting at \(endpoint) failed this once", .failAccept)
      }
    }
    while true {
      let connection = try await inner.accept()
      let number = accepted.next()
      if settings.concern(number), settings.draws(.accepted, number).derived(4).happens(settings.dropAccept, at: 0) {
        connection.abort()
        continue
      }
      return FaultyConnection(connection, ConnectionFaults(settings, .accepted, number), names, capabilities)
    }
  }

  func close() async {
    await inner.close()
  }
}
