internal import CheckIn
internal import CheckInCore
internal import InMemoryTransport
internal import TLSTransport
internal import Testing
internal import TransportConformance

/// Kiosks inside TLS, found by what is advertised beneath. What is advertised is nobody's word: the tests lie in it.
@Suite("Discovery inside TLS", .timeLimit(.minutes(2)))
struct TLSDiscoveryTests {
  private static let hall = Result { try TLSHall() }
  private let room = InMemoryTransport(advertisingInterval: .milliseconds(1))
  private let event = ShortEventID(rawValue: 7)

  @Test("conforms, in memory", arguments: ConformanceSuite.discoveryChecks)
  func conforms(check: ConformanceCheck) async throws {
    let subject = ConformanceSubject(
      try Self.hall.get().transport().wrap(InMemoryTransport()), addresses: .names(scheme: "tls+memory"),
      openResources: { 0 })
    let result = await check.run(on: subject)
    if let reason = result.skipReason { try Test.cancel("\(reason)") }
    #expect(result.failures.isEmpty, "\(result)")
  }

  @Test("a listener inside TLS is heard beneath as one that needs TLS, whatever its advertisement was to say")
  func saysSo() async throws {
    let tls = try #require(try Self.hall.get().transport().wrap(room) as? any DiscoverableTransport)
    #expect(tls.capabilities.contains(.discovery))
    #expect(tls.browsingPlace == Endpoint(scheme: "tls+memory", address: ""))
    let listener = try await tls.listen(on: Endpoint(scheme: "tls+memory", address: "a"))
    let advertiser = try await tls.advertise(
      Advertisement(kiosk: "Hall A", event: event, carriesTLS: false), at: listener.endpoint)
    #expect(advertiser.endpoint == listener.endpoint)
    let beneath = try await room.browse(at: room.browsingPlace)
    let heard = try await beneath.next(before: .now + .seconds(20))
    #expect(heard.needsTLS)
    #expect(heard.endpoint.scheme == "memory")
    let browser = try await tls.browse(at: tls.browsingPlace)
    let found = try await browser.next(before: .now + .seconds(20))
    #expect(found.endpoint == listener.endpoint)
    #expect(!found.needsTLS, "the endpoint says it")
    await browser.stop()
    await beneath.stop()
    await advertiser.stop()
    await listener.close()
  }

  @Test("R7: who takes TLS out of the advertisement is not heard inside TLS, and so nobody dials without it")
  func cleared() async throws {
    let tls = try #require(try Self.hall.get().transport().wrap(room) as? any DiscoverableTransport)
    let listener = try await tls.listen(on: Endpoint(scheme: "tls+memory", address: "a"))
    let lie = try await room.advertise(
      Advertisement(kiosk: "Hall A", event: event), at: listener.endpoint.withScheme("memory"))
    let browser = try await tls.browse(at: tls.browsingPlace)
    let error = await #expect(throws: TransportError.self) { try await browser.next(before: .now + .milliseconds(100)) }
    #expect(error?.code == .timedOut)
    await browser.stop()
    await lie.stop()
    await listener.close()
  }

  @Test("R7: who puts TLS into the advertisement of a plain listener gets a handshake, and nothing else")
  func set() async throws {
    let tls = try #require(
      try Self.hall.get().transport(limits: TLSLimits(handshake: .milliseconds(300))).wrap(room)
        as? any DiscoverableTransport)
    let listener = try await room.listen(on: Endpoint(scheme: "memory", address: "a"))
    let lie = try await room.advertise(
      Advertisement(kiosk: "Hall A", event: event, carriesTLS: true), at: listener.endpoint)
    let browser = try await tls.browse(at: tls.browsingPlace)
    let found = try await browser.next(before: .now + .seconds(20))
    #expect(found.endpoint == Endpoint(scheme: "tls+memory", address: "a"))
    let dialling = Task { try await tls.connect(to: found.endpoint, before: nil) }
    let far = try await listener.accept()
    var received = ByteQueue()
    _ = try await far.receive(into: &received, before: .now + .seconds(20))
    // A record of the type handshake, and in it a ClientHello (RFC 8446, sections 4 and 5.1).
    let bytes = received.take(received.count)
    #expect(bytes.first == 22 && bytes.dropFirst(5).first == 1)
    await #expect(throws: TransportError.self) { try await dialling.value }
    await far.close()
    await browser.stop()
    await lie.stop()
    await listener.close()
  }

  @Test("without a certificate to dial with nothing is looked for; where there is no discovery beneath, it is said")
  func refuses() async throws {
    let bare = try #require(TLSTransport().wrap(room) as? any DiscoverableTransport)
    var error = await #expect(throws: TransportError.self) { try await bare.browse(at: bare.browsingPlace) }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("container") == true)
    let registry = try TransportRegistry([SilentTransport()], wrappers: [try Self.hall.get().transport()])
    let place = Endpoint(scheme: "tls+silent", address: "")
    #expect(try !registry.transport(for: place).capabilities.contains(.discovery))
    error = await #expect(throws: TransportError.self) { try await registry.browse(at: place) }
    #expect(error?.code == .unsupported)
  }
}

/// A transport whose listeners nobody can find.
private struct SilentTransport: Transport {
  let scheme = "silent"
  let capabilities: TransportCapabilities = []

  func connect(to endpoint: Endpoint, before deadline: Deadline?) async throws(TransportError) -> any Connection {
    throw TransportError(.unreachable, "Nobody is there.")
  }

  func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    throw TransportError(.unsupported, "Nobody listens.")
  }
}
