internal import BlueZTransport
internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import TestSupport
internal import Testing

@Suite("Advertising through bluetoothd", .timeLimit(.minutes(1)))
struct DaemonAdvertiserTests {
  private let advertisement = Advertisement(kiosk: "Hall A", event: ShortEventID(rawValue: 0x0102_0304))
  private let endpoint = Endpoint(
    scheme: "l2cap", address: "hci0", parameters: [Endpoint.Parameter(name: "psm", value: "0x0081")])
  private let properties = "org.freedesktop.DBus.Properties"
  private let advertisementInterface = "org.bluez.LEAdvertisement1"

  /// Discovery on that bus, and with a kernel that forbids everything unless one is given.
  static func discovery(
    _ bus: PrivateBus, _ kernel: FakeKernel? = nil, patience: Duration = .seconds(20)
  ) async throws -> BlueZDiscovery {
    var settings = BlueZDiscovery.Settings()
    settings.pause = .milliseconds(1)
    settings.arrival = .milliseconds(300)
    settings.grace = .milliseconds(300)
    settings.departure = .milliseconds(300)
    settings.round = .seconds(3_600)
    settings.renewal = .seconds(3_600)
    settings.patience = patience
    let ways = try await kernel?.ways(4)
    return BlueZDiscovery(settings: settings, bus: bus.address) { () throws(TransportError) in
      guard let ways else { throw TransportError(.permissionDenied, "the test's kernel permits nothing") }
      return try ways()
    }
  }

  @Test("A1, A3: registers the advertisement, and takes it back when stopped; the kernel is not asked")
  func putsOut() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      let advertiser = try await Self.discovery(bus).advertise(advertisement, at: endpoint)
      _ = try await daemon.registered()
      #expect(
        daemon.advertisements == [
          [
            "Type": .string("peripheral"), "Discoverable": .bool(true), "LocalName": .string("Hall A"),
            "ServiceData": .dictionary(
              of: "{sv}",
              [
                (
                  .string("05958059-e5b0-411d-901b-73bbd41fc1f6"),
                  .variant(.bytes([0x10, 0x81, 0x00, 0x01, 0x02, 0x03, 0x04]))
                )
              ]),
          ]
        ])
      #expect(advertiser.endpoint == endpoint)
      async let ending: Void = advertiser.ended()
      await advertiser.stop()
      try await ending
      #expect(daemon.advertisements.isEmpty)
      #expect(daemon.applications.isEmpty)
      await advertiser.stop()
      try await advertiser.ended()
    }
  }

  @Test("V2: a name that does not fit is cut between two characters, and ends with a sign that there is more")
  func longName() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      let discovery = try await Self.discovery(bus)
      for (name, expected) in [
        (String(repeating: "a", count: 40), String(repeating: "a", count: 26) + "…"),
        (String(repeating: "ü", count: 40), String(repeating: "ü", count: 13) + "…"), ("", nil), ("\u{7}", nil),
        (String(repeating: "b", count: 29), String(repeating: "b", count: 29)),
      ] as [(String, String?)] {
        let advertiser = try await discovery.advertise(
          Advertisement(kiosk: name, event: ShortEventID(rawValue: 1)), at: endpoint)
        _ = try await daemon.registered()
        #expect(daemon.advertisements.first?["LocalName"]?.string == expected)
        await advertiser.stop()
      }
    }
  }

  @Test("A5: one that is dropped is gone, with its connection")
  func dropped() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      let discovery = try await Self.discovery(bus)
      do {
        _ = try await discovery.advertise(advertisement, at: endpoint)
      }
      let sender = try #require(daemon.calls.last?.sender)
      while await daemon.isConnected(sender) { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  @Test("A2: after each connection and disconnection of a phone it is registered anew")
  func again() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      let advertiser = try await Self.discovery(bus).advertise(advertisement, at: endpoint)
      for round in 1...4 {
        daemon.changed("\(FakeDaemon.hci0)/dev_01_02", "org.bluez.Device1", ["Connected": .bool(round % 2 == 1)])
        await daemon.until { $0.count(of: "RegisterAdvertisement") == 1 + round }
        #expect(daemon.count(of: "UnregisterAdvertisement") == round)
      }
      // bluetoothd 5.66 crashes where the kiosk ends while it puts a change out.
      #expect(daemon.changes.isEmpty)
      // Of no matter: other devices' other properties, other controllers, wrong types.
      daemon.changed("\(FakeDaemon.hci0)/dev_01_02", "org.bluez.Device1", ["RSSI": .int16(-5)])
      daemon.changed("/org/bluez/hci1/dev_01_02", "org.bluez.Device1", ["Connected": .bool(true)])
      daemon.changed("\(FakeDaemon.hci0)/dev_01_02", "org.bluez.Device1", ["Connected": .string("yes")])
      daemon.change(["Powered": .bool(false)], at: "/org/bluez/hci1")
      daemon.changed("\(FakeDaemon.hci0)/dev_01_02", "org.bluez.Device1", ["Connected": .bool(true)])
      await daemon.until { $0.count(of: "RegisterAdvertisement") == 6 }
      // One that was not known comes with its connection.
      daemon.added("\(FakeDaemon.hci0)/dev_03", "org.bluez.Device1", ["Connected": .bool(false)])
      daemon.added("/org/bluez/hci1/dev_03", "org.bluez.Device1", ["Connected": .bool(true)])
      daemon.added("\(FakeDaemon.hci0)/dev_04", "org.bluez.Device1", ["Connected": .bool(true)])
      await daemon.until { $0.count(of: "RegisterAdvertisement") == 7 }
      await advertiser.stop()
      try await advertiser.ended()
      #expect(daemon.count(of: "RegisterAdvertisement") == 7)
    }
  }

  @Test("an advertisement that bluetoothd takes away is registered again, and not for ever")
  func released() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      let advertiser = try await Self.discovery(bus).advertise(advertisement, at: endpoint)
      let (sender, path, _) = try await daemon.registered()
      for round in 2...8 {
        #expect(try await daemon.call(sender, path, advertisementInterface, "Release") == [])
        await daemon.until { $0.count(of: "RegisterAdvertisement") == round }
      }
      _ = try await daemon.call(sender, path, advertisementInterface, "Release")
      await expectError(.resourcesExhausted) { try await advertiser.ended() }
    }
  }

  @Test("V3: a controller that is off is switched on once; who was on and is off was switched off by somebody")
  func powers() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(
        on: bus.address, adapters: [FakeDaemon.hci0: FakeDaemon.adapter(isPowered: false)])
      let discovery = try await Self.discovery(bus)
      let advertiser = try await discovery.advertise(advertisement, at: endpoint)
      #expect(daemon.property("Powered") == .bool(true))
      daemon.change(["Powered": .bool(false)])
      await expectError(.addressUnavailable) { try await advertiser.ended() }
      await expectError(.addressUnavailable) { try await advertiser.ended() }
      await expectError(.addressUnavailable) { try await discovery.advertise(advertisement, at: endpoint) }
      #expect(daemon.count(of: "Set") == 1)
      daemon.change(["Powered": .bool(true)])
      let again = try await discovery.advertise(advertisement, at: endpoint)
      await again.stop()
    }
  }

  @Test("a controller that somebody switches on at the same moment is waited for")
  func powersTogether() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(
        on: bus.address, adapters: [FakeDaemon.hci0: FakeDaemon.adapter(isPowered: false)])
      daemon.refuse("Set", "org.bluez.Error.Busy")
      async let advertiser = Self.discovery(bus).advertise(advertisement, at: endpoint)
      await daemon.until { $0.count(of: "Set") == 1 }
      daemon.change(["Powered": .bool(true)])
      try await advertiser.stop()
    }
  }

  @Test("A4: it ends when the controller is unplugged")
  func unplugged() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      let advertiser = try await Self.discovery(bus).advertise(advertisement, at: endpoint)
      daemon.bus.emit(
        BusSignal(
          "/", "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved",
          [.path(FakeDaemon.hci0), .array(of: "s", [.string("org.bluez.Adapter1")])]))
      await expectError(.addressUnavailable) { try await advertiser.ended() }
    }
  }

  @Test("a listener at an address is advertised by the controller that has it; one that is not there is named")
  func byAddress() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(
        on: bus.address,
        adapters: [
          FakeDaemon.hci0: FakeDaemon.adapter(), "/org/bluez/hci7": FakeDaemon.adapter(address: "00:AA:01:01:00:01"),
        ])
      let discovery = try await Self.discovery(bus)
      let advertiser = try await discovery.advertise(
        advertisement, at: try Endpoint("l2cap://00:AA:01:01:00:01?psm=0x0090"))
      #expect(daemon.calls.last { $0.member == "RegisterAdvertisement" }?.path == "/org/bluez/hci7")
      await advertiser.stop()
      let error = await #expect(throws: TransportError.self) {
        try await discovery.advertise(advertisement, at: try Endpoint("l2cap://hci3?psm=0x0090"))
      }
      #expect(error?.code == .addressUnavailable)
      #expect(error?.message == "bluetoothd knows no Bluetooth controller hci3. It has hci0 and hci7.")
    }
  }

  @Test("a bluetoothd that has just begun finds its controllers a moment later")
  func arrives() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address, adapters: [:])
      async let advertiser = Self.discovery(bus).advertise(advertisement, at: endpoint)
      await daemon.until { $0.count(of: "GetManagedObjects") >= 1 }
      daemon.addAdapter(FakeDaemon.hci0, FakeDaemon.adapter())
      try await advertiser.stop()
    }
  }

  @Test(
    "V4: a bluetoothd that does not answer is given up, and a cancelled call leaves nothing", arguments: [false, true])
  func silent(isCancelled: Bool) async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      daemon.beSilent("RegisterAdvertisement")
      let discovery = try await Self.discovery(bus, patience: isCancelled ? .seconds(30) : .milliseconds(200))
      let calling = Task { try await discovery.advertise(advertisement, at: endpoint) }
      await daemon.until { $0.count(of: "RegisterAdvertisement") == 1 }
      if isCancelled { calling.cancel() }
      await expectError(isCancelled ? .cancelled : .other) { try await calling.value }
      daemon.stop()
    }
  }

  @Test("nobody but bluetoothd is answered, and nobody else's signals count")
  func strangers() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      let advertiser = try await Self.discovery(bus).advertise(advertisement, at: endpoint)
      let (sender, path, gatt) = try await daemon.registered()
      let stranger = try MessageBus(bus.address) { _ in }
      for (path, interface, member) in [
        (path, advertisementInterface, "Release"), (path, properties, "GetAll"),
        (gatt, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"),
      ] {
        do throws(BusError) {
          _ = try await stranger.call(
            BusCall(sender, path, interface, member, [.string(advertisementInterface)]), before: .soon)
          Issue.record("\(member) was answered")
        } catch {
          guard case .refused("org.freedesktop.DBus.Error.AccessDenied", _) = error else {
            Issue.record("\(error)")
            continue
          }
        }
      }
      stranger.emit(
        BusSignal(
          FakeDaemon.hci0, properties, "PropertiesChanged",
          [.string("org.bluez.Adapter1"), .properties(["Powered": .bool(false)]), .array(of: "s", [])]))
      stranger.emit(
        BusSignal(
          "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged",
          [.string("org.bluez"), .string("x"), .string("")]))
      _ = try await stranger.call(.bus("GetId"), before: .soon)
      // The advertiser still hears bluetoothd.
      daemon.changed("\(FakeDaemon.hci0)/dev_01_02", "org.bluez.Device1", ["Connected": .bool(true)])
      await daemon.until { $0.count(of: "RegisterAdvertisement") == 2 }
      await advertiser.stop()
      try await advertiser.ended()
    }
  }

  @Test(
    "V1: what cannot be advertised is refused before anybody is asked",
    arguments: [("tcp://127.0.0.1:1", "unsupported"), ("l2cap://hci0", "address_malformed")])
  func refusedBefore(url: String, code: String) async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      let error = await #expect(throws: TransportError.self) {
        try await Self.discovery(bus).advertise(advertisement, at: try Endpoint(url))
      }
      #expect(error?.code.description == code)
      #expect(daemon.calls.isEmpty)
    }
  }
}
