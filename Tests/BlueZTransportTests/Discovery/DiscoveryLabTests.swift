internal import BlueZTransport
internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import SocketIO
internal import TestSupport
internal import Testing

/// The value of an environment variable.
private func environment(_ name: String) -> String? {
  // Unsafe: the text is the C library's own and is copied at once.
  unsafe getenv(name).map { unsafe String(cString: $0) }
}

/// Discovery between two controllers of the lab (Tests/BluetoothLab), by the kernel's own management interface.
@Suite(
  "Bluetooth lab: discovery", .serialized, .timeLimit(.minutes(5)), .enabled(if: environment("BT1_ADDRESS") != nil))
struct DiscoveryLabTests {
  private let loops: EventLoopGroup
  private let transport: BlueZTransport
  private let advertisement = Advertisement(
    kiosk: "Hall A, with a name that does not fit", event: ShortEventID(rawValue: 7))

  init() throws {
    loops = try EventLoopGroup(count: 1)
    transport = BlueZTransport(loops: loops)
  }

  private var soon: Deadline { .now + .seconds(60) }

  @Test("A1, A2, B1: a kiosk is found, dialled, and found again after each of three connections")
  func foundAgain() async throws {
    let listener = try await transport.listen(on: Endpoint("l2cap://hci0"))
    let advertiser = try await transport.advertise(advertisement, at: listener.endpoint)
    let browser = try await transport.browse(at: Endpoint("l2cap://hci1"))
    for _ in 0..<3 {
      let sighting = try await browser.next(before: soon)
      #expect(sighting.event == ShortEventID(rawValue: 7))
      #expect(sighting.kiosk == "Hall A, with a name that does…")
      #expect(sighting.endpoint.address == listener.endpoint.address)
      #expect(sighting.endpoint.parameter("psm") == listener.endpoint.parameter("psm"))
      async let accepted = listener.accept()
      let dialled = try await transport.connect(to: sighting.endpoint, before: soon)
      let theirs = try await accepted
      try await dialled.send([1, 2, 3], before: soon)
      #expect(try await theirs.receive(exactly: 3) == [1, 2, 3])
      await dialled.close()
      await theirs.close()
    }
    // Found while nobody is connected, too.
    _ = try await browser.next(before: soon)
    await browser.stop()
    await advertiser.stop()
    await listener.close()
    await loops.shutdown()
  }

  @Test("A3, A5: one that was stopped or dropped is found no more")
  func stopped() async throws {
    let listener = try await transport.listen(on: Endpoint("l2cap://hci0"))
    let browser = try await transport.browse(at: Endpoint("l2cap://hci1"))
    for isStopped in [true, false] {
      do {
        let advertiser = try await transport.advertise(advertisement, at: listener.endpoint)
        _ = try await browser.next(before: soon)
        if isStopped { await advertiser.stop() }
      }
      // What was on its way arrives; three rounds of silence follow.
      await expectError(.timedOut) {
        for _ in 0..<20 { _ = try await browser.next(before: .now + .seconds(5)) }
      }
    }
    await browser.stop()
    await listener.close()
    await loops.shutdown()
  }

  @Test("V3: a controller that is not there is named, and so are those that are")
  func missing() async throws {
    let error = await #expect(throws: TransportError.self) {
      try await transport.browse(at: try Endpoint("l2cap://hci77"))
    }
    #expect(error?.code == .addressUnavailable)
    #expect(error?.message.contains("hci0") == true)
    await loops.shutdown()
  }
}
