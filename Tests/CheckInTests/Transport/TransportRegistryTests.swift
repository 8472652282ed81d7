internal import CheckIn
internal import InMemoryTransport
internal import TestSupport
internal import Testing

private struct NamedTransport: Transport {
  let scheme: String
  var capabilities: TransportCapabilities { [] }

  func connect(to endpoint: Endpoint, before deadline: Deadline?) async throws(TransportError) -> any Connection {
    throw TransportError(.other, scheme)
  }

  func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    throw TransportError(.other, scheme)
  }
}

private struct NamedWrapper: TransportWrapper {
  let prefix: String

  func wrap(_ transport: any Transport) -> any Transport {
    NamedTransport(scheme: "\(prefix)+\(transport.scheme)")
  }
}

@Suite("TransportRegistry")
struct TransportRegistryTests {
  private let registry: TransportRegistry

  init() throws {
    registry = try TransportRegistry(
      ["tcp", "unix", "memory", "l2cap+bredr"].map { NamedTransport(scheme: $0) },
      wrappers: ["tls", "fault"].map { NamedWrapper(prefix: $0) })
  }

  @Test(
    "finds transports by their whole scheme, and wraps them",
    arguments: ["tcp", "unix", "l2cap+bredr", "tls+tcp", "fault+tls+tcp", "tls+l2cap+bredr", "tls+tls+memory"])
  func finds(scheme: String) throws {
    #expect(try registry.transport(for: Endpoint("\(scheme)://x")).scheme == scheme)
  }

  @Test(
    "everything else is unsupported, and the error lists what is known",
    arguments: ["tc", "tcpx", "t", "tls", "tls+", "tls+tc", "tcp+tls", "l2cap", "bredr", "x+tcp", "tls+x"])
  func refuses(scheme: String) async throws {
    let endpoint = try Endpoint("\(scheme)://x")
    await expectError(.unsupported) { try registry.transport(for: endpoint) }
    await expectError(.unsupported) { try await registry.connect(to: endpoint) }
    await expectError(.unsupported) { try await registry.listen(on: endpoint) }
    do {
      _ = try registry.transport(for: endpoint)
    } catch {
      for known in registry.schemes + registry.prefixes { #expect(error.message.contains(known)) }
    }
  }

  @Test(
    "the nearest scheme is named",
    arguments: [("tpc", "tcp"), ("uinx", "unix"), ("memmory", "memory"), ("tsl+tcp", "tls+tcp"), ("quic", nil)])
  func namesNearest(scheme: String, nearest: String?) throws {
    do {
      _ = try registry.transport(for: Endpoint("\(scheme)://x"))
      Issue.record("found")
    } catch {
      let hint = nearest.map { "Did you mean “\($0)://”?" } ?? "Did you mean"
      #expect(error.message.contains(hint) == (nearest != nil), "\(error)")
    }
  }

  @Test("a scheme that comes twice, or cannot be one, is refused")
  func refusesDuplicates() async {
    let tcp = NamedTransport(scheme: "tcp")
    await expectError(.duplicateScheme) { try TransportRegistry([tcp, tcp]) }
    await expectError(.duplicateScheme) {
      try TransportRegistry([tcp], wrappers: [NamedWrapper(prefix: "x"), NamedWrapper(prefix: "x")])
    }
    await expectError(.duplicateScheme) { try TransportRegistry([tcp], wrappers: [NamedWrapper(prefix: "tcp")]) }
    await expectError(.unsupported) { try TransportRegistry([NamedTransport(scheme: "TCP")]) }
    await expectError(.unsupported) { try TransportRegistry([NamedTransport(scheme: "")]) }
    await expectError(.unsupported) { try TransportRegistry([tcp], wrappers: [NamedWrapper(prefix: "a+b")]) }
  }

  @Test("connects and listens with the transport that it finds", .timeLimit(.minutes(1)))
  func connects() async throws {
    let registry = try TransportRegistry([InMemoryTransport()])
    let listener = try await registry.listen(on: Endpoint("memory://lobby"))
    let near = try await registry.connect(to: Endpoint("memory://lobby"))
    let far = try await listener.accept()
    try await near.send([1])
    #expect(try await far.receive(exactly: 1) == [1])
  }
}
