internal import CheckIn
internal import TestSupport
internal import Testing

@Suite("Endpoint")
struct EndpointTests {
  @Test(
    "reads a URL and writes it again",
    arguments: [
      "tcp://127.0.0.1:7443", "tcp://[::1]:0", "unix:///run/check%20in.sock?mode=0660", "memory://lobby",
      "fault+memory://lobby?seed=7&drop=0.01&flag", "tcp://[fe80::1%25eth0]:1",
    ])
  func readsAndWrites(url: String) throws {
    let endpoint = try Endpoint(url)
    #expect(endpoint.description == url)
    #expect(try Endpoint(endpoint.description) == endpoint)
  }

  @Test("takes scheme, address and parameters apart")
  func takesApart() throws {
    let endpoint = try Endpoint("FAULT+tcp://host%3F:1?a=1%262&b&c=%C3%A4")
    #expect(endpoint.scheme == "fault+tcp")
    #expect(endpoint.address == "host?:1")
    #expect(endpoint.parameter("a") == "1&2")
    #expect(endpoint.parameter("b") == "")
    #expect(endpoint.parameter("c") == "ä")
    #expect(endpoint.parameter("d") == nil)
  }

  @Test(
    "refuses what is not an endpoint",
    arguments: [
      "", "tcp", "tcp:", "tcp:/x", "://x", "1tcp://x", "t cp://x", "tcp://%zz", "tcp://%", "tcp://%4",
      "tcp://x?a=1&a=2",
      "tcp://x?=1", "tcp://%ff", "tcp://x?a=%+1", String(repeating: "x", count: 1025),
    ])
  func refuses(url: String) async {
    await expectError(.addressMalformed) { try Endpoint(url) }
  }
}
