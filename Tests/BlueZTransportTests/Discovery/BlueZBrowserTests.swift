internal import BlueZTransport
internal import CheckIn
internal import CheckInCore
internal import TestSupport
internal import Testing

@Suite("Looking through the management interface", .timeLimit(.minutes(1)))
struct BlueZBrowserTests {
  private let place = Endpoint(scheme: "l2cap", address: "hci0")
  private let kiosk = BluetoothAdvertisement(psm: 0x81, event: ShortEventID(rawValue: 7), name: "Hall A")

  private var soon: Deadline { .now + .seconds(20) }
  private var heard: [UInt8] { [2, 1, 6] + kiosk.advertisingData + kiosk.scanResponse }

  private static func discovery(
    _ kernel: FakeKernel, ways: Int = 1, round: Duration = .seconds(3_600)
  ) async throws -> BlueZDiscovery {
    var settings = BlueZDiscovery.Settings()
    settings.round = round
    return BlueZDiscovery(settings: settings, open: try await kernel.ways(ways))
  }

  @Test("B1: gives what is heard: what to dial, name, event, strength")
  func sighting() async throws {
    let kernel = FakeKernel()
    let browser = try await Self.discovery(kernel).browse(at: place)
    await kernel.find(heard, address: [0xa0, 2, 3, 4, 5, 6], signal: -71)
    let first = try await browser.next(before: soon)
    #expect(first.endpoint == (try Endpoint("l2cap://A0:02:03:04:05:06?psm=0x0081&device=hci0")))
    #expect(first.kiosk == "Hall A")
    #expect(first.event == ShortEventID(rawValue: 7))
    #expect(first.signal == SignalStrength(decibelMilliwatts: -71))
    #expect(!first.needsTLS)
    await kernel.find(kiosk.advertisingData, kind: 2, signal: 127)
    let second = try await browser.next(before: soon)
    #expect(second.endpoint == (try Endpoint("l2cap://01:02:03:04:05:06?psm=0x0081&type=random&device=hci0")))
    #expect(second.kiosk == nil)
    #expect(second.signal == nil, "127 stands for unknown")
    let long = BluetoothAdvertisement(
      psm: 0x81, event: ShortEventID(rawValue: 7), name: String(repeating: "long ", count: 9))
    await kernel.find(long.advertisingData + long.scanResponse)
    let third = try await browser.next(before: soon)
    #expect(third.kiosk == "long long long long long long…", "29 bytes, and a sign that there is more")
    let secured = BluetoothAdvertisement(psm: 0x81, carriesTLS: true, event: ShortEventID(rawValue: 7), name: "")
    await kernel.find(secured.advertisingData)
    #expect(try await browser.next(before: soon).needsTLS)
    await browser.stop()
  }

  @Test("the first controller with LE is taken where nobody says which, and is not named in what to dial")
  func firstController() async throws {
    var classic = FakeKernel.Controller()
    classic.supported = 1
    let kernel = FakeKernel([2: classic, 5: FakeKernel.Controller(), 9: FakeKernel.Controller()])
    let browser = try await Self.discovery(kernel).browse(at: try Endpoint("l2cap://"))
    #expect(browser.placeNow == Endpoint(scheme: "l2cap", address: "hci5"))
    await kernel.find(heard, controller: 9)
    await kernel.find(heard, address: [9, 9, 9, 9, 9, 9], controller: 5)
    let sighting = try await browser.next(before: soon)
    #expect(sighting.endpoint == (try Endpoint("l2cap://09:09:09:09:09:09?psm=0x0081")))
    await browser.stop()
    let none = FakeKernel([2: classic])
    await expectError(.addressUnavailable) { try await Self.discovery(none).browse(at: try Endpoint("l2cap://")) }
  }

  @Test("B3: strangers, garbage and unreadable events give nothing and end nothing")
  func garbage() async throws {
    let kernel = FakeKernel()
    let browser = try await Self.discovery(kernel).browse(at: place)
    await kernel.find([])
    await kernel.find([2, 1, 6])
    await kernel.find(Array(heard.dropLast(heard.count - 20)))
    await kernel.find(heard + kiosk.advertisingData)
    await kernel.find(heard, kind: 0)
    await kernel.find(heard, kind: 9)
    await kernel.find([UInt8](repeating: 0xff, count: 1_000))
    await kernel.send(0x12, [1, 2, 3])
    await kernel.send(0x12, [1, 2, 3, 4, 5, 6, 1, 0, 0, 0, 0, 0, 5, 0, 1])
    await kernel.send(0x01, [])
    await kernel.send(0x02, [1, 2])
    await kernel.send(0x13, [])
    await kernel.find(heard, address: [6, 6, 6, 6, 6, 6])
    #expect(try await browser.next(before: soon).endpoint.address == "06:06:06:06:06:06")
    await browser.stop()
  }

  @Test("B6: when nothing can be read any more it says so, and says it again")
  func framing() async throws {
    let kernel = FakeKernel()
    let browser = try await Self.discovery(kernel).browse(at: place)
    await kernel.sendRaw([0x12, 0, 0, 0, 0xff, 0xff])
    await expectError(.malformed) { try await browser.next(before: soon) }
    await expectError(.malformed) { try await browser.next(before: soon) }
    await browser.stop()
    await expectError(.closed) { try await browser.next(before: soon) }
  }

  @Test("B6: when the controller is switched off or unplugged it says so")
  func controllerGone() async throws {
    for (event, parameters) in [(0x06, [0, 2, 0, 0]), (0x05, [])] as [(UInt16, [UInt8])] {
      let kernel = FakeKernel()
      let browser = try await Self.discovery(kernel).browse(at: place)
      await kernel.send(event, parameters)
      await expectError(.addressUnavailable) { try await browser.next(before: soon) }
      await browser.stop()
    }
  }

  @Test("B1: looks in rounds, so that each kiosk is told of again")
  func rounds() async throws {
    let kernel = FakeKernel()
    let browser = try await Self.discovery(kernel, round: .milliseconds(2)).browse(at: place)
    async let waiting: Sighting? = try? browser.next(before: nil)
    await kernel.until { $0.count(of: 0x23) >= 5 }
    #expect(kernel.count(of: 0x24) >= 4, "each round is ended before the next")
    await browser.stop()
    _ = await waiting
  }

  @Test("a round that the kernel ends is followed by another")
  func endedByKernel() async throws {
    let kernel = FakeKernel()
    let browser = try await Self.discovery(kernel).browse(at: place)
    async let waiting: Sighting? = try? browser.next(before: nil)
    await kernel.send(0x13, [6, 0])
    await kernel.until { $0.count(of: 0x23) == 2 }
    await kernel.send(0x13, [6, 0])
    await kernel.until { $0.count(of: 0x23) == 3 }
    await browser.stop()
    _ = await waiting
    #expect(kernel.count(of: 0x23) == 3, "its own rounds' ends begin none")
  }

  @Test("B7: who looks while another does hears the same")
  func busy() async throws {
    let kernel = FakeKernel()
    let discovery = try await Self.discovery(kernel, ways: 2)
    let first = try await discovery.browse(at: place)
    kernel.refuse(0x23, 0x0a)
    let second = try await discovery.browse(at: place)
    await kernel.find(heard)
    _ = try await first.next(before: soon)
    _ = try await second.next(before: soon)
    await first.stop()
    await kernel.find(heard)
    _ = try await second.next(before: soon)
    await second.stop()
    await kernel.until { $0.openCount == 0 }
  }

  @Test("B4: deadlines and cancellations end the wait, also while a round begins, and the browser works on")
  func waits() async throws {
    let kernel = FakeKernel()
    let browser = try await Self.discovery(kernel).browse(at: place)
    await expectError(.timedOut) { try await browser.next(before: .now) }
    await expectError(.timedOut) { try await browser.next(before: .now + .milliseconds(5)) }
    let waiting = Task { try await browser.next(before: nil) }
    waiting.cancel()
    await expectError(.cancelled) { try await waiting.value }
    await kernel.find(heard)
    _ = try await browser.next(before: soon)
    await browser.stop()
  }

  @Test("B5, B8: stopped or dropped it ends the wait, tells the kernel, and closes the socket")
  func stops() async throws {
    let kernel = FakeKernel()
    let discovery = try await Self.discovery(kernel, ways: 2)
    let browser = try await discovery.browse(at: place)
    let waiting = Task { try await browser.next(before: nil) }
    await browser.stop()
    await expectError(.closed) { try await waiting.value }
    await browser.stop()
    // The other way is open from the beginning.
    await kernel.until { $0.controller()?.isDiscovering == false && $0.openCount == 1 }
    do {
      _ = try await discovery.browse(at: place)
    }
    await kernel.until { $0.count(of: 0x24) == 4 && $0.openCount == 0 }
    #expect(kernel.controller()?.isDiscovering == false)
  }

  @Test(
    "V3: what the kernel refuses is told by its code",
    arguments: [
      (0x23, 0x14, "permission_denied"), (0x23, 0x0f, "address_unavailable"), (0x23, 0x0c, "address_unavailable"),
    ] as [(UInt16, UInt8, String)])
  func refused(command: UInt16, status: UInt8, code: String) async throws {
    let kernel = FakeKernel()
    kernel.refuse(command, status)
    let error = await #expect(throws: TransportError.self) { try await Self.discovery(kernel).browse(at: place) }
    #expect(error?.code.description == code)
    await kernel.until { $0.openCount == 0 }
  }

  @Test("V1: other schemes and places are refused", arguments: ["tcp://a", "l2cap://lobby", "l2cap+bredr://hci0"])
  func places(url: String) async throws {
    let kernel = FakeKernel()
    let place = try Endpoint(url)
    await expectError(.unsupported, .addressMalformed) { try await Self.discovery(kernel).browse(at: place) }
    #expect(kernel.commands.isEmpty)
  }
}
