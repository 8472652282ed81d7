internal import BlueZTransport
internal import CheckIn
internal import CheckInCore
internal import TestSupport
internal import Testing

@Suite("Advertising through the management interface", .timeLimit(.minutes(1)))
struct BlueZAdvertiserTests {
  private let advertisement = Advertisement(kiosk: "Hall A", event: ShortEventID(rawValue: 0x0102_0304))
  private let endpoint = Endpoint(
    scheme: "l2cap", address: "hci0", parameters: [Endpoint.Parameter(name: "psm", value: "0x0081")])

  private static func discovery(
    _ kernel: FakeKernel, ways: Int = 1, renewal: Duration = .seconds(3_600)
  ) async throws -> BlueZDiscovery {
    var settings = BlueZDiscovery.Settings()
    settings.pause = .milliseconds(1)
    settings.renewal = renewal
    return BlueZDiscovery(settings: settings, open: try await kernel.ways(ways))
  }

  @Test("A1, A3: switches the controller and LE on, puts the advertisement out, and takes it back when stopped")
  func putsOut() async throws {
    let kernel = FakeKernel()
    kernel.change { $0.instances = [1: [], 3: []] }
    let discovery = try await Self.discovery(kernel)
    let advertiser = try await discovery.advertise(advertisement, at: endpoint)
    let content = BluetoothAdvertisement(psm: 0x81, event: advertisement.event, name: "Hall A")
    let data = content.advertisingData
    let response = content.scanResponse
    #expect(kernel.controller()?.current == 0x201)
    #expect(
      kernel.controller()?.instances[2]
        == [2, 3, 0, 0, 0, 0, 0, 12, 0, UInt8(data.count), UInt8(response.count)] + data + response)
    #expect(advertiser.endpoint == endpoint)
    async let ending: Void = advertiser.ended()
    await advertiser.stop()
    try await ending
    #expect(kernel.controller()?.instances.keys.sorted() == [1, 3])
    await kernel.until { $0.openCount == 0 }
    await advertiser.stop()
    try await advertiser.ended()
  }

  @Test("A5: one that is dropped is taken back")
  func dropped() async throws {
    let kernel = FakeKernel()
    let discovery = try await Self.discovery(kernel)
    do {
      _ = try await discovery.advertise(advertisement, at: endpoint)
    }
    await kernel.until { $0.controller()?.instances.isEmpty == true && $0.openCount == 0 }
  }

  @Test("A3: a cancelled task stops it too")
  func stoppedByCancelled() async throws {
    let kernel = FakeKernel()
    let discovery = try await Self.discovery(kernel)
    let advertiser = try await discovery.advertise(advertisement, at: endpoint)
    let stopping = Task {
      while !Task.isCancelled { await Task.yield() }
      await advertiser.stop()
    }
    stopping.cancel()
    await stopping.value
    #expect(kernel.controller()?.instances.isEmpty == true)
  }

  @Test(
    "A2: it is put out again after a connection, a disconnection, and when it was taken away",
    arguments: [
      (0x0b, [1, 2, 3, 4, 5, 6, 2, 0, 0, 0, 0, 0, 0]), (0x0c, [1, 2, 3, 4, 5, 6, 2, 0]), (0x24, [1]),
    ] as [(UInt16, [UInt8])])
  func again(event: UInt16, parameters: [UInt8]) async throws {
    let kernel = FakeKernel()
    let discovery = try await Self.discovery(kernel)
    let advertiser = try await discovery.advertise(advertisement, at: endpoint)
    #expect(kernel.count(of: 0x3e) == 1)
    for round in 2...4 {
      await kernel.send(event, parameters)
      await kernel.until { $0.count(of: 0x3e) == round }
    }
    await advertiser.stop()
  }

  @Test("what concerns another controller or another advertisement changes nothing")
  func othersEvents() async throws {
    let kernel = FakeKernel()
    let discovery = try await Self.discovery(kernel)
    let advertiser = try await discovery.advertise(advertisement, at: endpoint)
    await kernel.send(0x24, [2])
    await kernel.send(0x05, controller: 1, [])
    await kernel.send(0x06, controller: 1, [0, 0, 0, 0])
    await kernel.send(0x0c, controller: 1, [1, 2, 3, 4, 5, 6, 2, 0])
    // Unreadable: too short, too long, with a length that is not there, of an unknown kind.
    await kernel.send(0x0c, [1])
    await kernel.send(0x06, [0, 0, 0])
    await kernel.send(0x0b, [1, 2, 3, 4, 5, 6, 2, 0, 0, 0, 0, 9, 0])
    await kernel.send(0x05, [1])
    await kernel.send(0xffff, [UInt8](repeating: 7, count: 4_096))
    await kernel.send(0x24, [1])
    await kernel.until { $0.count(of: 0x3e) == 2 }
    await advertiser.stop()
    try await advertiser.ended()
    #expect(kernel.count(of: 0x3e) == 2)
  }

  @Test("it is renewed from time to time, so that the kernel can forget those of killed programs")
  func renewed() async throws {
    let kernel = FakeKernel()
    let discovery = try await Self.discovery(kernel, renewal: .milliseconds(2))
    let advertiser = try await discovery.advertise(advertisement, at: endpoint)
    await kernel.until { $0.count(of: 0x3e) >= 5 }
    await advertiser.stop()
  }

  @Test("some refusals in a row are borne, eight are not")
  func refusals() async throws {
    let kernel = FakeKernel()
    let discovery = try await Self.discovery(kernel)
    let advertiser = try await discovery.advertise(advertisement, at: endpoint)
    kernel.refuse(0x3e, 0x0b, 0x0a, 0x03, 0x0b)
    await kernel.send(0x0c, [1, 2, 3, 4, 5, 6, 2, 0])
    await kernel.until { $0.count(of: 0x3e) == 6 }
    kernel.refuse(0x3e, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b)
    await kernel.send(0x0c, [1, 2, 3, 4, 5, 6, 2, 0])
    await expectError(.other) { try await advertiser.ended() }
    await kernel.until { $0.openCount == 0 }
  }

  @Test("A4, V3: it ends when the controller is switched off, and nobody switches that on again")
  func switchedOff() async throws {
    let kernel = FakeKernel()
    let discovery = try await Self.discovery(kernel, ways: 3)
    let advertiser = try await discovery.advertise(advertisement, at: endpoint)
    kernel.change { $0.current &= ~1 }
    await kernel.send(0x06, [0, 2, 0, 0])
    await expectError(.addressUnavailable) { try await advertiser.ended() }
    await expectError(.addressUnavailable) { try await advertiser.ended() }
    await expectError(.addressUnavailable) { try await discovery.advertise(advertisement, at: endpoint) }
    #expect(kernel.count(of: 0x05) == 1)
    kernel.change { $0.current |= 1 }
    let again = try await discovery.advertise(advertisement, at: endpoint)
    await again.stop()
  }

  @Test("A4: it ends when the controller is unplugged")
  func unplugged() async throws {
    let kernel = FakeKernel()
    let discovery = try await Self.discovery(kernel)
    let advertiser = try await discovery.advertise(advertisement, at: endpoint)
    await kernel.send(0x05, [])
    await expectError(.addressUnavailable) { try await advertiser.ended() }
  }

  @Test("a listener at an address is advertised by the controller that has it")
  func byAddress() async throws {
    var other = FakeKernel.Controller()
    other.address = [0x00, 0xaa, 0x01, 0x01, 0x00, 0x01]
    let kernel = FakeKernel([0: FakeKernel.Controller(), 7: other])
    let discovery = try await Self.discovery(kernel, ways: 3)
    let advertiser = try await discovery.advertise(
      advertisement, at: try Endpoint("l2cap://00:AA:01:01:00:01?psm=0x0090"))
    #expect(kernel.controller(7)?.instances.count == 1)
    #expect(kernel.controller(0)?.instances.isEmpty == true)
    await advertiser.stop()
    await expectError(.addressUnavailable) {
      try await discovery.advertise(advertisement, at: try Endpoint("l2cap://00:AA:01:01:00:09?psm=0x0090"))
    }
    let error = await #expect(throws: TransportError.self) {
      try await discovery.advertise(advertisement, at: try Endpoint("l2cap://hci3?psm=0x0090"))
    }
    #expect(error?.code == .addressUnavailable)
    #expect(error?.message == "This machine has no Bluetooth controller hci3. It has hci0 and hci7.")
    #expect(!kernel.commands.contains { $0.controller == 3 }, "the kernel is asked of no controller that is not there")
  }

  @Test(
    "V1: what cannot be advertised is refused before the kernel is asked",
    arguments: [
      ("tcp://127.0.0.1:1", "unsupported"), ("l2cap://hci0", "address_malformed"),
      ("l2cap://hci0?psm=0x7f", "address_malformed"), ("l2cap://hci0?psm=x", "address_malformed"),
      ("l2cap://nonsense?psm=0x81", "address_malformed"), ("l2cap://?psm=0x81", "address_malformed"),
    ])
  func refused(url: String, code: String) async throws {
    let kernel = FakeKernel()
    let discovery = try await Self.discovery(kernel)
    let error = await #expect(throws: TransportError.self) {
      try await discovery.advertise(advertisement, at: try Endpoint(url))
    }
    #expect(error?.code.description == code)
    #expect(kernel.commands.isEmpty)
  }

  @Test(
    "V3: what the kernel refuses is told by its code, and the socket is closed",
    arguments: [
      (0x3d, 0x14, "permission_denied"), (0x3e, 0x14, "permission_denied"), (0x05, 0x12, "address_unavailable"),
      (0x3e, 0x0c, "address_unavailable"), (0x04, 0x11, "address_unavailable"), (0x3e, 0x0a, "resources_exhausted"),
      (0x3e, 0x99, "other"),
    ] as [(UInt16, UInt8, String)])
  func refusedByKernel(command: UInt16, status: UInt8, code: String) async throws {
    let kernel = FakeKernel()
    kernel.refuse(command, status)
    let discovery = try await Self.discovery(kernel)
    let error = await #expect(throws: TransportError.self) {
      try await discovery.advertise(advertisement, at: endpoint)
    }
    #expect(error?.code.description == code)
    #expect(error?.message.contains("hci0") == true)
    await kernel.until { $0.openCount == 0 }
  }

  @Test("a controller without LE, without advertisements or without a free one is refused in words")
  func unable() async throws {
    let classic = FakeKernel()
    classic.change { $0.supported = 1 }
    var discovery = try await Self.discovery(classic)
    await expectError(.addressUnavailable) { [discovery] in try await discovery.advertise(advertisement, at: endpoint) }
    let none = FakeKernel()
    none.change { $0.mostInstances = 0 }
    discovery = try await Self.discovery(none)
    await expectError(.addressUnavailable) { [discovery] in try await discovery.advertise(advertisement, at: endpoint) }
    let full = FakeKernel()
    full.change { controller in for instance in 1...5 { controller.instances[UInt8(instance)] = [] } }
    discovery = try await Self.discovery(full)
    await expectError(.resourcesExhausted) { [discovery] in try await discovery.advertise(advertisement, at: endpoint) }
  }

  @Test("answers of a wrong shape are refused", arguments: [0x04, 0x3d, 0x3e] as [UInt16])
  func shapes(command: UInt16) async throws {
    for reply in [[], [7], [UInt8](repeating: 9, count: 279), [UInt8](repeating: 0xff, count: 20)] as [[UInt8]] {
      let kernel = FakeKernel()
      kernel.reply(command, reply)
      let discovery = try await Self.discovery(kernel)
      await expectError(.malformed) { try await discovery.advertise(advertisement, at: endpoint) }
      await kernel.until { $0.openCount == 0 }
    }
  }

  @Test("V4: a cancelled call leaves no advertisement, and no socket", arguments: [0x04, 0x3d, 0x3e] as [UInt16])
  func cancelled(command: UInt16) async throws {
    let kernel = FakeKernel()
    kernel.beSilent(command)
    let discovery = try await Self.discovery(kernel)
    let calling = Task { try await discovery.advertise(advertisement, at: endpoint) }
    await kernel.until { $0.count(of: command) == 1 }
    calling.cancel()
    await expectError(.cancelled) { try await calling.value }
    await kernel.until { $0.openCount == 0 }
    if command == 0x3e { #expect(kernel.count(of: 0x3f) == 1, "what may be out is taken back") }
  }

  @Test("V4: a kernel that does not answer is given up")
  func silent() async throws {
    let kernel = FakeKernel()
    kernel.beSilent(0x3d)
    let discovery = try await Self.discovery(kernel)
    await expectError(.other) { try await discovery.advertise(advertisement, at: endpoint) }
    await kernel.until { $0.openCount == 0 }
  }
}
