internal import CheckIn
internal import CheckInCore
internal import InMemoryTransport
internal import TestSupport
internal import Testing

@Suite("Discovery in memory", .serialized, .timeLimit(.minutes(1)))
struct MemoryDiscoveryTests {
  private let room = InMemoryTransport(advertisingInterval: .milliseconds(1))
  private let advertisement = Advertisement(kiosk: "Hall A", event: ShortEventID(rawValue: 0x0102_0304))

  private var soon: Deadline { .now + .seconds(20) }

  @Test("A1, B1: a kiosk is found with its name, event, strength, and an endpoint that can be dialled, at zero too")
  func found() async throws {
    let listener = try await room.listen(on: try Endpoint("memory://0"))
    let advertiser = try await room.advertise(advertisement, at: listener.endpoint)
    #expect(advertiser.endpoint == listener.endpoint)
    let browser = try await room.browse(at: room.browsingPlace)
    let sighting = try await browser.next(before: soon)
    #expect(sighting.kiosk == "Hall A")
    #expect(sighting.event == advertisement.event)
    #expect(sighting.signal == SignalStrength(decibelMilliwatts: -50))
    #expect(sighting.endpoint == listener.endpoint)
    _ = try await room.connect(to: sighting.endpoint, before: soon)
    _ = try await listener.accept()
    await browser.stop()
    await advertiser.stop()
    await listener.close()
  }

  @Test("B1: one that begins later is found, and each is heard again as long as it is there")
  func later() async throws {
    let browser = try await room.browse(at: room.browsingPlace)
    async let first = browser.next(before: soon)
    let listener = try await room.listen(on: try Endpoint("memory://a"))
    let other = try await room.listen(on: try Endpoint("memory://b"))
    let advertisers = [
      try await room.advertise(advertisement, at: listener.endpoint),
      try await room.advertise(Advertisement(kiosk: "Hall B", event: advertisement.event), at: other.endpoint),
    ]
    var heard = [try await first.kiosk ?? ""]
    for _ in 0..<9 { heard.append(try await browser.next(before: soon).kiosk ?? "") }
    #expect(heard.filter { $0 == "Hall A" }.count >= 4, "\(heard)")
    #expect(heard.filter { $0 == "Hall B" }.count >= 4, "\(heard)")
    for advertiser in advertisers { await advertiser.stop() }
    await listener.close()
    await other.close()
  }

  @Test("A2: whoever connects, the kiosk can still be found")
  func goesOn() async throws {
    let listener = try await room.listen(on: try Endpoint("memory://a"))
    let advertiser = try await room.advertise(advertisement, at: listener.endpoint)
    let browser = try await room.browse(at: room.browsingPlace)
    for _ in 0..<20 {
      let sighting = try await browser.next(before: soon)
      let near = try await room.connect(to: sighting.endpoint, before: soon)
      let far = try await listener.accept()
      near.abort()
      await far.close()
    }
    await advertiser.stop()
    await browser.stop()
    await listener.close()
  }

  @Test("A3, A4, A5: one that is stopped or dropped is heard no more, and its waits return")
  func stopped() async throws {
    let listener = try await room.listen(on: try Endpoint("memory://a"))
    let browser = try await room.browse(at: room.browsingPlace)
    do {
      let advertiser = try await room.advertise(advertisement, at: listener.endpoint)
      _ = try await browser.next(before: soon)
      async let ending: Void = advertiser.ended()
      await advertiser.stop()
      try await ending
      await advertiser.stop()
      try await advertiser.ended()
    }
    await expectError(.timedOut) { try await browser.next(before: .now + .milliseconds(30)) }
    var dropped: (any Advertiser)? = try await room.advertise(advertisement, at: listener.endpoint)
    #expect(dropped != nil)
    dropped = nil
    await expectError(.timedOut) { try await browser.next(before: .now + .milliseconds(30)) }
    let again = try await room.advertise(advertisement, at: listener.endpoint)
    await expectError(.addressInUse) { try await room.advertise(advertisement, at: listener.endpoint) }
    await again.stop()
    await listener.close()
  }

  @Test("A4: it ends with its listener and says so; a cancelled wait ends nothing")
  func endsWithListener() async throws {
    let listener = try await room.listen(on: try Endpoint("memory://a"))
    let advertiser = try await room.advertise(advertisement, at: listener.endpoint)
    let waiting = Task { try await advertiser.ended() }
    waiting.cancel()
    await expectError(.cancelled) { try await waiting.value }
    let browser = try await room.browse(at: room.browsingPlace)
    _ = try await browser.next(before: soon)
    let ending = Task { try await advertiser.ended() }
    await listener.close()
    await expectError(.closed) { try await ending.value }
    await expectError(.closed) { try await advertiser.ended() }
    await expectError(.timedOut) { try await browser.next(before: .now + .milliseconds(30)) }
    await expectError(.addressUnavailable) { try await room.advertise(advertisement, at: listener.endpoint) }
  }

  @Test("the signal can be set, taken away and given back")
  func signals() async throws {
    let slow = InMemoryTransport(advertisingInterval: .seconds(3_600))
    let listener = try await slow.listen(on: try Endpoint("memory://a"))
    #expect(throws: TransportError.self) { try slow.setSignal(.unknown, of: listener.endpoint) }
    let advertiser = try await slow.advertise(advertisement, at: listener.endpoint)
    let browser = try await slow.browse(at: slow.browsingPlace)
    _ = try await browser.next(before: soon)
    try slow.setSignal(.strength(SignalStrength(decibelMilliwatts: -71)), of: listener.endpoint)
    #expect(try await browser.next(before: soon).signal == SignalStrength(decibelMilliwatts: -71))
    try slow.setSignal(.unknown, of: listener.endpoint)
    #expect(try await browser.next(before: soon).signal == nil)
    try slow.setSignal(.none, of: listener.endpoint)
    await expectError(.timedOut) { try await browser.next(before: .now + .milliseconds(30)) }
    async let back = browser.next(before: soon)
    try slow.setSignal(.strength(SignalStrength(decibelMilliwatts: -40)), of: listener.endpoint)
    #expect(try await back.signal == SignalStrength(decibelMilliwatts: -40))
    await advertiser.stop()
    await listener.close()
  }

  @Test("B4, B5: waits end by deadline, cancellation and stop, and the browser works on or is closed")
  func waits() async throws {
    let browser = try await room.browse(at: room.browsingPlace)
    await expectError(.timedOut) { try await browser.next(before: .now) }
    let waiting = Task { try await browser.next(before: nil) }
    waiting.cancel()
    await expectError(.cancelled) { try await waiting.value }
    let ending = Task { try await browser.next(before: nil) }
    await browser.stop()
    await expectError(.closed) { try await ending.value }
    await browser.stop()
    await expectError(.closed) { try await browser.next(before: nil) }
  }

  @Test("B7: two browsers each hear every kiosk, and worlds do not hear each other")
  func independent() async throws {
    let listener = try await room.listen(on: try Endpoint("memory://a"))
    let advertiser = try await room.advertise(advertisement, at: listener.endpoint)
    let first = try await room.browse(at: room.browsingPlace)
    let second = try await room.browse(at: room.browsingPlace)
    for browser in [first, second, first, second] { _ = try await browser.next(before: soon) }
    await first.stop()
    _ = try await second.next(before: soon)
    let elsewhere = try await InMemoryTransport().browse(at: room.browsingPlace)
    await expectError(.timedOut) { try await elsewhere.next(before: .now + .milliseconds(30)) }
    await advertiser.stop()
    await listener.close()
  }

  @Test("V1: other schemes and places are refused")
  func refused() async throws {
    let tcp = try Endpoint("tcp://127.0.0.1:1")
    await expectError(.unsupported) { try await room.advertise(advertisement, at: tcp) }
    await expectError(.unsupported) { try await room.browse(at: tcp) }
    await expectError(.addressMalformed) { try await room.advertise(advertisement, at: try Endpoint("memory://a b")) }
    await expectError(.addressMalformed) { try await room.browse(at: try Endpoint("memory://lobby")) }
  }
}
