internal import BlueZTransport
internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import TestSupport
internal import Testing

@Suite("Following bluetoothd", .timeLimit(.minutes(1)))
struct FollowingTests {
  private let advertisement = Advertisement(kiosk: "Hall A", event: ShortEventID(rawValue: 7))
  private let endpoint = Endpoint(
    scheme: "l2cap", address: "hci0", parameters: [Endpoint.Parameter(name: "psm", value: "0x0081")])
  private let place = Endpoint(scheme: "l2cap", address: "hci0")

  private func discovery(_ bus: PrivateBus, _ kernel: FakeKernel? = nil) async throws -> BlueZDiscovery {
    try await DaemonAdvertiserTests.discovery(bus, kernel)
  }

  @Test("on a bus without bluetoothd, and without a bus, the kernel does it")
  func withoutDaemon() async throws {
    try await PrivateBus.run { bus in
      let kernel = FakeKernel()
      let discovery = try await discovery(bus, kernel)
      let advertiser = try await discovery.advertise(advertisement, at: endpoint)
      #expect(kernel.controller()?.instances.count == 1)
      await advertiser.stop()
      #expect(kernel.controller()?.instances.isEmpty == true)
      bus.process.signal(SIGKILL)
      _ = try await bus.process.exit()
      let again = try await discovery.advertise(advertisement, at: endpoint)
      #expect(kernel.controller()?.instances.count == 1)
      let browser = try await discovery.browse(at: place)
      #expect(kernel.controller()?.isDiscovering == true)
      await browser.stop()
      await again.stop()
    }
  }

  @Test("a bluetoothd that begins anew gets the advertisement and the GATT service again")
  func restarts() async throws {
    try await PrivateBus.run { bus in
      let first = try await FakeDaemon.start(on: bus.address)
      let advertiser = try await discovery(bus).advertise(advertisement, at: endpoint)
      // On its way out it switches its controllers off.
      first.change(["Powered": .bool(false)])
      // The signal has gone out when this is answered.
      _ = try await first.bus.call(.bus("GetId"), before: .soon)
      first.stop()
      // As after a restart: off, until bluetoothd switches it on.
      let second = try await FakeDaemon.start(
        on: bus.address, adapters: [FakeDaemon.hci0: FakeDaemon.adapter(isPowered: false)])
      await second.until { !$0.advertisements.isEmpty && !$0.applications.isEmpty }
      #expect(second.property("Powered") == .bool(true))
      async let ending: Void = advertiser.ended()
      await advertiser.stop()
      try await ending
      await second.until { $0.advertisements.isEmpty }
    }
  }

  @Test("a bluetoothd that goes away while an advertisement begins, or fails it once, gets it when it is back")
  func restartsInBetween() async throws {
    try await PrivateBus.run { bus in
      let first = try await FakeDaemon.start(on: bus.address)
      first.beSilent("RegisterAdvertisement")
      let discovery = try await discovery(bus)
      let calling = Task { try await discovery.advertise(advertisement, at: endpoint) }
      await first.until { $0.count(of: "RegisterAdvertisement") == 1 }
      first.stop()
      let second = try await FakeDaemon.start(on: bus.address)
      let advertiser = try await calling.value
      await second.until { !$0.advertisements.isEmpty }
      await advertiser.stop()
    }
  }

  @Test("when bluetoothd goes away for good the kernel goes on; when it comes, it takes over")
  func goesAndComes() async throws {
    try await PrivateBus.run { bus in
      let kernel = FakeKernel()
      let first = try await FakeDaemon.start(on: bus.address)
      let advertiser = try await discovery(bus, kernel).advertise(advertisement, at: endpoint)
      #expect(kernel.controller()?.instances.isEmpty == true)
      first.stop()
      await kernel.until { $0.controller()?.instances.count == 1 }
      // bluetoothd leaves controllers off, and that was nobody's wish.
      #expect(kernel.controller()?.current == 0x201)
      let second = try await FakeDaemon.start(on: bus.address)
      await second.until { !$0.advertisements.isEmpty }
      await kernel.until { $0.controller()?.instances.isEmpty == true }
      second.stop()
      kernel.change { $0.current = 0 }
      await kernel.until { $0.controller()?.instances.count == 1 }
      await advertiser.stop()
      try await advertiser.ended()
      #expect(kernel.controller()?.instances.isEmpty == true)
    }
  }

  @Test("when bluetoothd goes away and the kernel permits nothing, that is said")
  func goesWithoutKernel() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      let advertiser = try await discovery(bus).advertise(advertisement, at: endpoint)
      daemon.stop()
      await expectError(.permissionDenied) { try await advertiser.ended() }
    }
  }

  @Test("when the bus itself ends the kernel goes on")
  func busEnds() async throws {
    try await PrivateBus.run { bus in
      let kernel = FakeKernel()
      let daemon = try await FakeDaemon.start(on: bus.address)
      let advertiser = try await discovery(bus, kernel).advertise(advertisement, at: endpoint)
      #expect(daemon.count(of: "RegisterAdvertisement") == 1)
      bus.process.signal(SIGKILL)
      await kernel.until { $0.controller()?.instances.count == 1 }
      await advertiser.stop()
      try await advertiser.ended()
    }
  }

  @Test("stopping while bluetoothd is gone ends at once")
  func stopsInBetween() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      let advertiser = try await discovery(bus).advertise(advertisement, at: endpoint)
      daemon.stop()
      await advertiser.stop()
      try await advertiser.ended()
    }
  }

  @Test("a look-out goes on with a bluetoothd that begins anew")
  func looksOn() async throws {
    try await PrivateBus.run { bus in
      let first = try await FakeDaemon.start(on: bus.address)
      let browser = try await discovery(bus).browse(at: place)
      let waiting = Task { try await browser.next(before: .soon) }
      first.change(["Powered": .bool(false)])
      _ = try await first.bus.call(.bus("GetId"), before: .soon)
      first.stop()
      let second = try await FakeDaemon.start(
        on: bus.address, adapters: [FakeDaemon.hci0: FakeDaemon.adapter(isPowered: false)])
      await second.until { $0.count(of: "StartDiscovery") == 1 }
      second.hear()
      #expect(try await waiting.value.kiosk == "Hall A")
      await browser.stop()
    }
  }

  @Test("a look-out goes on by the kernel when bluetoothd is gone, and by bluetoothd when that has the controller")
  func looksOnByKernel() async throws {
    try await PrivateBus.run { bus in
      let kernel = FakeKernel()
      let first = try await FakeDaemon.start(on: bus.address)
      let browser = try await discovery(bus, kernel).browse(at: place)
      first.stop()
      let content = BluetoothAdvertisement(psm: 0x81, event: ShortEventID(rawValue: 7), name: "Hall B")
      let waiting = Task { try await browser.next(before: .soon) }
      await kernel.until { $0.controller()?.isDiscovering == true }
      await kernel.find(content.advertisingData + content.scanResponse)
      #expect(try await waiting.value.kiosk == "Hall B")
      let second = try await FakeDaemon.start(on: bus.address)
      let again = Task { try await browser.next(before: .soon) }
      // So it is when bluetoothd begins.
      await kernel.send(0x06, [0, 2, 0, 0])
      await second.until { $0.count(of: "StartDiscovery") == 1 }
      second.hear()
      #expect(try await again.value.kiosk == "Hall A")
      await browser.stop()
      await kernel.until { $0.controller()?.isDiscovering == false }
    }
  }

  @Test("B6: where nobody is left who looks it says so, again and again")
  func nobodyLeft() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      let browser = try await discovery(bus).browse(at: place)
      daemon.stop()
      await expectError(.permissionDenied) { try await browser.next(before: .soon) }
      await expectError(.permissionDenied) { try await browser.next(before: .soon) }
      await browser.stop()
      await expectError(.closed) { try await browser.next(before: .soon) }
    }
  }
}
