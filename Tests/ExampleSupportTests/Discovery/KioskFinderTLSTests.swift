internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import Glibc
internal import InMemoryTransport
internal import TLSTransport
internal import Testing

/// A phone looks for kiosks with TLS and without. What a kiosk advertises may be somebody else's lie.
@Suite("Finding the kiosk inside TLS", .timeLimit(.minutes(1)))
struct KioskFinderTLSTests {
  private let event = ShortEventID(rawValue: 7)
  private let room = InMemoryTransport(advertisingInterval: .milliseconds(5))

  /// A phone's registry, with a certificate to dial with or without.
  private func registry(hasCertificate: Bool) throws -> TransportRegistry {
    guard hasCertificate else { return try TransportRegistry([room], wrappers: [TLSTransport()]) }
    let now = Int64(time(nil))
    let authority = try CertificateAuthority.make(
      event: "summer", eventName: "Summer", key: .generate(.ed25519), notBefore: now - 60, notAfter: now + 3_600)
    let key = try PrivateKey.generate(.ed25519)
    let certificate = try authority.issue(
      .attendee, id: "ada", name: "Ada", publicKey: key.publicKey, notBefore: now - 60, notAfter: now + 3_600)
    let policy = CertificatePolicy(
      issuers: [authority.certificate], event: "summer", role: .kiosk, revokedSerials: [], now: { now })
    let credentials = TLSCredentials(key: key, chain: [certificate], policy: policy)
    return try TransportRegistry([room], wrappers: [TLSTransport(dialling: credentials, listening: nil)])
  }

  /// Looks where a kiosk advertises that it speaks TLS or that it does not.
  private func find(
    carriesTLS: Bool, insideTLS: Bool, at place: String = "memory://", bound: Duration = .seconds(30)
  ) async throws -> Result<Endpoint?, ExampleError> {
    let listener = try await room.listen(on: Endpoint(scheme: "memory", address: "a"))
    let advertiser = try await room.advertise(
      Advertisement(kiosk: "Hall A", event: event, carriesTLS: carriesTLS), at: listener.endpoint)
    let finder = KioskFinder(
      registry: try registry(hasCertificate: insideTLS), places: [try Endpoint(place)], insideTLS: insideTLS,
      event: event, near: nil, bound: bound, display: Recorder())
    let result: Result<Endpoint?, ExampleError>
    do throws(ExampleError) {
      result = .success(try await finder.find()?.endpoint)
    } catch {
      result = .failure(error)
    }
    await advertiser.stop()
    await listener.close()
    return result
  }

  @Test("a kiosk that speaks TLS is dialled with TLS, wherever the phone was told to look", arguments: ["", "tls+"])
  func found(prefix: String) async throws {
    let found = try await find(carriesTLS: true, insideTLS: true, at: "\(prefix)memory://").get()
    #expect(found == Endpoint(scheme: "tls+memory", address: "a"))
  }

  @Test("a kiosk that does not is dialled without, by a phone that has no container")
  func plain() async throws {
    #expect(try await find(carriesTLS: false, insideTLS: false).get() == Endpoint(scheme: "memory", address: "a"))
  }

  @Test("R7: a phone that has a container dials nobody without TLS, though the advertisement has none")
  func cleared() async throws {
    let error = await #expect(throws: ExampleError.self) {
      try await find(carriesTLS: false, insideTLS: true, bound: .seconds(3)).get()
    }
    #expect(error?.status == .unavailable)
    #expect(error?.description.contains("Kiosks without TLS do not count") == true)
  }

  @Test("a phone without a container dials no kiosk that wants TLS, and is told what is missing")
  func locked() async throws {
    let error = await #expect(throws: ExampleError.self) {
      try await find(carriesTLS: true, insideTLS: false, bound: .seconds(3)).get()
    }
    #expect(error?.status == .unavailable)
    #expect(error?.description.contains("--container") == true)
    let place = await #expect(throws: ExampleError.self) {
      try await find(carriesTLS: true, insideTLS: false, at: "tls+memory://").get()
    }
    #expect(place?.description.contains("container") == true)
  }

  @Test("the list on the screen counts those that want TLS, and shows them as no choice")
  func picture() {
    let start = ContinuousClock.now
    var chooser = KioskChooser(event: event, near: nil, start: start)
    func see(_ address: String, needsTLS: Bool) -> [NearbyKiosks.Change] {
      chooser.see(
        Sighting(
          endpoint: Endpoint(scheme: "memory", address: address), needsTLS: needsTLS, kiosk: address, event: event,
          signal: nil, time: start))
    }
    #expect(see("locked", needsTLS: true) == [])
    #expect(see("open", needsTLS: false).count == 1)
    #expect(chooser.candidates.map(\.name) == ["open"])
    #expect(chooser.strangers == 0)
    let lines = KioskSearchPicture(near: nil, unicode: true)
      .lines(chooser, after: .seconds(3), size: TerminalSize(rows: 24, columns: 80))
    #expect(lines.contains("One kiosk wants TLS: say --container."))
    #expect(!lines.contains { $0.contains("locked") })
    // Who says now this and now that is what was said last.
    #expect(see("locked", needsTLS: false).count == 1)
    #expect(chooser.candidates.count == 2)
    #expect(see("open", needsTLS: true) == [])
    #expect(chooser.candidates.map(\.name) == ["locked"])
  }
}
