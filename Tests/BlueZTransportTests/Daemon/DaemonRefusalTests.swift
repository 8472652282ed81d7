internal import BlueZTransport
internal import CheckIn
internal import CheckInCore
internal import TestSupport
internal import Testing

@Suite("What bluetoothd refuses, and what it says that is wrong", .timeLimit(.minutes(1)))
struct DaemonRefusalTests {
  private let advertisement = Advertisement(kiosk: "Hall A", event: ShortEventID(rawValue: 0x0102_0304))
  private let endpoint = Endpoint(
    scheme: "l2cap", address: "hci0", parameters: [Endpoint.Parameter(name: "psm", value: "0x0081")])

  @Test(
    "V3: what bluetoothd refuses is told by its code, in words that name the controller",
    arguments: [
      ("RegisterAdvertisement", "org.bluez.Error.NotPermitted", "resources_exhausted"),
      ("RegisterAdvertisement", "org.bluez.Error.AlreadyExists", "address_in_use"),
      ("RegisterAdvertisement", "org.bluez.Error.NotReady", "address_unavailable"),
      ("RegisterAdvertisement", "org.bluez.Error.NotAuthorized", "permission_denied"),
      ("RegisterAdvertisement", "org.bluez.Error.NotSupported", "address_unavailable"),
      ("RegisterAdvertisement", "org.bluez.Error.InvalidArguments", "other"),
      ("RegisterAdvertisement", "org.bluez.Error.Failed", "other"),
      ("RegisterAdvertisement", "org.freedesktop.DBus.Error.UnknownMethod", "address_unavailable"),
      ("RegisterAdvertisement", "org.freedesktop.DBus.Error.AccessDenied", "permission_denied"),
      ("RegisterAdvertisement", "strange.thing.it.Said", "other"),
      ("RegisterApplication", "org.bluez.Error.Failed", "other"),
      ("RegisterApplication", "org.bluez.Error.AlreadyExists", "address_in_use"),
      ("Set", "org.bluez.Error.Blocked", "address_unavailable"),
      ("Set", "org.bluez.Error.Failed", "other"),
      ("Set", "org.bluez.Error.Busy", "resources_exhausted"),
      ("Get", "org.bluez.Error.DoesNotExist", "address_unavailable"),
    ])
  func refused(member: String, name: String, code: String) async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(
        on: bus.address, adapters: [FakeDaemon.hci0: FakeDaemon.adapter(isPowered: member != "Set")])
      daemon.refuse(member, name)
      let error = await #expect(throws: TransportError.self) {
        try await DaemonAdvertiserTests.discovery(bus).advertise(advertisement, at: endpoint)
      }
      #expect(error?.code.description == code)
      #expect(error?.message.contains("hci0") == true)
      #expect(error?.message.contains("\u{7}") == false)
      let sender = try #require(daemon.calls.last?.sender)
      while await daemon.isConnected(sender) { try await Task.sleep(for: .milliseconds(1)) }
      await daemon.until { $0.advertisements.isEmpty }
    }
  }

  @Test("V3: where the bus's policy forbids to talk to bluetoothd it says so, and which group may help")
  func policy() async throws {
    try await PrivateBus.run(policy: "<deny send_destination=\"org.bluez\"/>") { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      defer { daemon.stop() }
      let error = await #expect(throws: TransportError.self) {
        try await DaemonAdvertiserTests.discovery(bus, FakeKernel()).advertise(advertisement, at: endpoint)
      }
      #expect(error?.code == .permissionDenied)
      #expect(error?.message.contains("group “bluetooth”") == true)
    }
  }

  @Test(
    "answers of a wrong shape are refused",
    arguments: [
      ("GetManagedObjects", []), ("GetManagedObjects", [.string("x")]), ("GetManagedObjects", [.array(of: "s", [])]),
      ("Get", []), ("Get", [.bool(true)]), ("Get", [.variant(.string("yes"))]),
    ] as [(String, [BusValue])])
  func shapes(member: String, values: [BusValue]) async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      daemon.answer(member, values)
      await expectError(.malformed) {
        try await DaemonAdvertiserTests.discovery(bus).advertise(advertisement, at: endpoint)
      }
    }
  }

  @Test("objects of strange types are passed over")
  func strangeObjects() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      daemon.answer(
        "GetManagedObjects",
        [
          .dictionary(
            of: "{oa{sa{sv}}}",
            [
              (.path("/org/bluez/hci0"), .dictionary(of: "{sa{sv}}", [])),
              (
                .path("/org/bluez/hci1"),
                .dictionary(
                  of: "{sa{sv}}",
                  [
                    (.string("org.bluez.Adapter1"), .properties(["Address": .bytes([1, 2])])),
                    (.string("org.bluez.LEAdvertisingManager1"), .properties([:])),
                  ])
              ),
            ])
        ])
      await expectError(.addressUnavailable) {
        try await DaemonAdvertiserTests.discovery(bus).advertise(
          advertisement, at: try Endpoint("l2cap://00:AA:01:01:00:01?psm=0x81"))
      }
    }
  }

  @Test("a controller without advertising is refused in words")
  func unable() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      daemon.answer(
        "GetManagedObjects",
        [
          .dictionary(
            of: "{oa{sa{sv}}}",
            [
              (
                .path("/org/bluez/hci0"),
                .dictionary(of: "{sa{sv}}", [(.string("org.bluez.Adapter1"), .properties([:]))])
              )
            ])
        ])
      await expectError(.addressUnavailable) {
        try await DaemonAdvertiserTests.discovery(bus).advertise(advertisement, at: endpoint)
      }
    }
  }
}
