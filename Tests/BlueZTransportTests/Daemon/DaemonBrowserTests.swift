internal import BlueZTransport
internal import CheckIn
internal import CheckInCore
internal import TestSupport
internal import Testing

@Suite("Looking through bluetoothd", .timeLimit(.minutes(1)))
struct DaemonBrowserTests {
  private let place = Endpoint(scheme: "l2cap", address: "hci0")
  private let device = "org.bluez.Device1"

  private static func discovery(_ bus: PrivateBus, round: Duration = .seconds(3_600)) async throws -> BlueZDiscovery {
    var settings = BlueZDiscovery.Settings()
    settings.arrival = .milliseconds(300)
    settings.grace = .milliseconds(300)
    settings.departure = .milliseconds(50)
    settings.round = round
    return BlueZDiscovery(settings: settings, bus: bus.address) { () throws(TransportError) in
      throw TransportError(.permissionDenied, "the test's kernel permits nothing")
    }
  }

  /// A bluetoothd and a look-out.
  private func look(
    _ body: (FakeDaemon, any Browser) async throws -> Void
  ) async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      let browser = try await Self.discovery(bus).browse(at: place)
      try await body(daemon, browser)
      await browser.stop()
    }
  }

  /// What is to be heard when everything before has been passed over.
  private func expectNothing(_ daemon: FakeDaemon, _ browser: any Browser) async throws {
    daemon.hear(FakeDaemon.kiosk(address: "06:06:06:06:06:06"))
    #expect(try await browser.next(before: .soon).endpoint.address == "06:06:06:06:06:06")
  }

  @Test("B1: gives what is heard: what to dial, name, event, strength; LE alone is looked for, and duplicates too")
  func sighting() async throws {
    try await look { daemon, browser in
      let filter = try #require(daemon.calls.first { $0.member == "SetDiscoveryFilter" })
      #expect(filter.path == FakeDaemon.hci0)
      #expect(filter.arguments == [.properties(["Transport": .string("le"), "DuplicateData": .bool(true)])])
      #expect(daemon.count(of: "StartDiscovery") == 1)
      daemon.hear(FakeDaemon.kiosk(address: "A0:02:03:04:05:06", signal: -71))
      let first = try await browser.next(before: .soon)
      #expect(first.endpoint == (try Endpoint("l2cap://A0:02:03:04:05:06?psm=0x0081&device=hci0")))
      #expect(first.kiosk == "Hall A")
      #expect(first.event == ShortEventID(rawValue: 7))
      #expect(first.signal == SignalStrength(decibelMilliwatts: -71))
      #expect(!first.needsTLS)
      daemon.hear(FakeDaemon.kiosk(name: nil, type: "random", signal: 127))
      let second = try await browser.next(before: .soon)
      #expect(second.endpoint == (try Endpoint("l2cap://01:02:03:04:05:06?psm=0x0081&type=random&device=hci0")))
      #expect(second.kiosk == nil)
      #expect(second.signal == nil, "127 stands for unknown")
      daemon.hear(FakeDaemon.kiosk(address: "A1:02:03:04:05:06", fields: [0x11, 0x81, 0, 0, 0, 0, 7]))
      #expect(try await browser.next(before: .soon).needsTLS)
    }
  }

  @Test("B1: one that is known is heard again with each new strength or data, and with the name that comes later")
  func heardAgain() async throws {
    try await look { daemon, browser in
      let path = FakeDaemon.device("01:02:03:04:05:06")
      daemon.hear(FakeDaemon.kiosk(name: nil))
      #expect(try await browser.next(before: .soon).kiosk == nil)
      daemon.changed(path, device, ["Name": .string("Hall A")])
      daemon.changed(path, device, ["RSSI": .int16(-40)])
      let second = try await browser.next(before: .soon)
      #expect(second.kiosk == "Hall A")
      #expect(second.signal == SignalStrength(decibelMilliwatts: -40))
      daemon.changed(path, device, ["ServiceData": FakeDaemon.serviceData([0x10, 0x99, 0x00, 0, 0, 0, 8])])
      let third = try await browser.next(before: .soon)
      #expect(third.event == ShortEventID(rawValue: 8))
      #expect(third.endpoint.parameter("psm") == "0x0099")
      #expect(third.signal == SignalStrength(decibelMilliwatts: -40))
      // bluetoothd has removed it, so a strength alone says nothing any more.
      daemon.removed(path)
      daemon.changed(path, device, ["RSSI": .int16(-40)])
      try await expectNothing(daemon, browser)
    }
  }

  @Test("what bluetoothd has kept from earlier is no sighting until it is heard, and then a whole one")
  func known() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      let path = FakeDaemon.device("01:02:03:04:05:06")
      daemon.addDevice(path, FakeDaemon.kiosk(signal: nil))
      let browser = try await Self.discovery(bus).browse(at: try Endpoint("l2cap://"))
      try await expectNothing(daemon, browser)
      daemon.changed(path, device, ["RSSI": .int16(-50)])
      let sighting = try await browser.next(before: .soon)
      #expect(sighting.endpoint == (try Endpoint("l2cap://01:02:03:04:05:06?psm=0x0081")), "no controller was named")
      #expect(sighting.kiosk == "Hall A")
      await browser.stop()
    }
  }

  @Test("a name that no kiosk advertises counts as none")
  func names() async throws {
    try await look { daemon, browser in
      for name in ["", String(repeating: "n", count: 30), "a\u{1b}[2J", String(repeating: "long ", count: 100)] {
        daemon.hear(FakeDaemon.kiosk(name: name))
        let sighting = try await browser.next(before: .soon)
        #expect(sighting.kiosk == nil)
      }
    }
  }

  @Test("B3: strangers, garbage and strange types give nothing and end nothing")
  func garbage() async throws {
    try await look { daemon, browser in
      let path = FakeDaemon.device("01:02:03:04:05:06")
      for fields in [
        [], [0x10], [0x20, 0x81, 0, 0, 0, 0, 7], [0x12, 0x81, 0, 0, 0, 0, 7], [0x10, 0x7f, 0, 0, 0, 0, 7],
        [0x10, 0x81, 0, 0, 0, 0, 7, 7], [UInt8](repeating: 0x10, count: 1_000),
      ] as [[UInt8]] {
        daemon.hear(FakeDaemon.kiosk(fields: fields))
      }
      for (name, value) in [
        ("Address", .string("nonsense")), ("Address", .uint16(1)), ("ServiceData", .string("x")),
        ("ServiceData", .array(of: "s", [])), ("ServiceData", .properties([:])),
        ("ServiceData", .properties(["05958059-e5b0-411d-901b-73bbd41fc1f6": .string("x")])),
        ("ServiceData", .dictionary(of: "{ss}", [(.string("05958059-e5b0-411d-901b-73bbd41fc1f6"), .string("x"))])),
      ] as [(String, BusValue)] {
        daemon.added(path, device, FakeDaemon.kiosk().merging([name: value]) { $1 })
      }
      daemon.added("/org/bluez/hci1/dev_01_02_03_04_05_06", device, FakeDaemon.kiosk())
      daemon.added(path, "org.bluez.Other1", FakeDaemon.kiosk())
      for arguments in [
        [], [.string("x")], [.path(path)], [.path(path), .string("x")], [.path(path), .properties([:])],
      ]
        as [[BusValue]]
      {
        for member in ["InterfacesAdded", "InterfacesRemoved", "Nothing"] {
          daemon.bus.emit(BusSignal("/", "org.freedesktop.DBus.ObjectManager", member, arguments))
        }
        daemon.bus.emit(BusSignal(path, "org.freedesktop.DBus.Properties", "PropertiesChanged", arguments))
      }
      daemon.changed("/org/bluez/hci0/dev_99", device, ["RSSI": .int16(-1)])
      daemon.changed(
        "/org/bluez/hci0/dev_99", device, ["ServiceData": FakeDaemon.serviceData([0x10, 0x81, 0, 0, 0, 0, 7])])
      // Right in all but the type of what matters less.
      daemon.added(path, device, FakeDaemon.kiosk().merging(["RSSI": .string("loud"), "Name": .bytes([1])]) { $1 })
      let strange = try await browser.next(before: .soon)
      #expect(strange.signal == nil)
      #expect(strange.kiosk == nil)
      try await expectNothing(daemon, browser)
    }
  }

  @Test("nobody else's signals count")
  func strangers() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      let browser = try await Self.discovery(bus).browse(at: place)
      let stranger = try MessageBus(bus.address) { _ in }
      let kiosk = FakeDaemon.kiosk()
      stranger.emit(
        BusSignal(
          "/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded",
          [
            .path(FakeDaemon.device("01:02:03:04:05:06")),
            .dictionary(of: "{sa{sv}}", [(.string(device), .properties(kiosk))]),
          ]))
      _ = try await stranger.call(.bus("GetId"), before: .soon)
      try await expectNothing(daemon, browser)
      await browser.stop()
    }
  }

  @Test("B2: of each kiosk the newest counts when nobody asks, and of very many some are left out")
  func newest() async throws {
    try await look { daemon, browser in
      for strength in Int16(1)...50 { daemon.hear(FakeDaemon.kiosk(signal: -strength)) }
      for number in 0..<600 {
        let address = "02:00:00:00:0\(number / 256):" + (number % 256 < 16 ? "0" : "") + String(number % 256, radix: 16)
        daemon.hear(FakeDaemon.kiosk(address: address.uppercased()))
      }
      // Known to the look-out when everything before it is.
      daemon.change(["Powered": .bool(true)])
      let calls = daemon.count(of: "StartDiscovery")
      #expect(calls == 1)
      var seen: [Sighting] = []
      // The first may have been there early; the rest wait.
      while seen.last?.endpoint.address != "02:00:00:00:00:10" { seen.append(try await browser.next(before: .soon)) }
      #expect(seen.filter { $0.endpoint.address == "01:02:03:04:05:06" }.last?.signal?.decibelMilliwatts == -50)
      while (try? await browser.next(before: .now + .milliseconds(50))).map({ seen.append($0) }) != nil {}
      #expect(seen.count <= 600 + 50)
      #expect(Set(seen.map(\.endpoint)).count >= 256)
    }
  }

  @Test("B1: looks in rounds, and a round that somebody else holds up is as good")
  func rounds() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      daemon.refuse("StartDiscovery", "", "org.bluez.Error.InProgress", "")
      daemon.refuse("StopDiscovery", "org.bluez.Error.Failed", "", "org.bluez.Error.Failed")
      let browser = try await Self.discovery(bus, round: .milliseconds(2)).browse(at: place)
      async let waiting: Sighting? = try? browser.next(before: nil)
      await daemon.until { $0.count(of: "StartDiscovery") >= 5 }
      #expect(daemon.count(of: "StopDiscovery") >= 4)
      await browser.stop()
      _ = await waiting
    }
  }

  @Test("B6: when the controller is switched off or unplugged it says so, and says it again", arguments: [false, true])
  func controllerGone(isUnplugged: Bool) async throws {
    try await look { daemon, browser in
      if isUnplugged {
        daemon.bus.emit(
          BusSignal(
            "/", "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved",
            [
              .path(FakeDaemon.hci0),
              .array(of: "s", [.string("org.bluez.GattManager1"), .string("org.bluez.Adapter1")]),
            ]))
      } else {
        daemon.change(["Powered": .bool(false)])
      }
      await expectError(.addressUnavailable) { try await browser.next(before: .soon) }
      await expectError(.addressUnavailable) { try await browser.next(before: .soon) }
    }
  }

  @Test(
    "V3: what bluetoothd refuses is told by its code",
    arguments: [
      ("StartDiscovery", "org.bluez.Error.NotReady", "address_unavailable"),
      ("StartDiscovery", "org.bluez.Error.Failed", "other"),
      ("StartDiscovery", "org.bluez.Error.NotAuthorized", "permission_denied"),
      ("SetDiscoveryFilter", "org.bluez.Error.NotSupported", "address_unavailable"),
      ("SetDiscoveryFilter", "org.freedesktop.DBus.Error.AccessDenied", "permission_denied"),
    ])
  func refused(member: String, name: String, code: String) async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      daemon.refuse(member, name)
      let error = await #expect(throws: TransportError.self) { try await Self.discovery(bus).browse(at: place) }
      #expect(error?.code.description == code)
      #expect(error?.message.contains("hci0") == true)
      let sender = try #require(daemon.calls.last?.sender)
      while await daemon.isConnected(sender) { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  @Test("B4: deadlines and cancellations end the wait, and the browser works on")
  func waits() async throws {
    try await look { daemon, browser in
      await expectError(.timedOut) { try await browser.next(before: .now) }
      await expectError(.timedOut) { try await browser.next(before: .now + .milliseconds(5)) }
      let waiting = Task { try await browser.next(before: nil) }
      waiting.cancel()
      await expectError(.cancelled) { try await waiting.value }
      try await expectNothing(daemon, browser)
    }
  }

  @Test("B5, B8: stopped or dropped it ends the wait, and the connection with the bus")
  func stops() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      let discovery = try await Self.discovery(bus)
      let browser = try await discovery.browse(at: place)
      let waiting = Task { try await browser.next(before: nil) }
      await browser.stop()
      await expectError(.closed) { try await waiting.value }
      await browser.stop()
      await expectError(.closed) { try await browser.next(before: nil) }
      do {
        _ = try await discovery.browse(at: place)
      }
      for sender in Set(daemon.calls.map(\.sender)) {
        while await daemon.isConnected(sender) { try await Task.sleep(for: .milliseconds(1)) }
      }
    }
  }

  @Test("B7: look-outs do not touch each other: each has a connection of its own")
  func together() async throws {
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      let discovery = try await Self.discovery(bus)
      let (first, second) = (try await discovery.browse(at: place), try await discovery.browse(at: place))
      #expect(Set(daemon.calls.filter { $0.member == "StartDiscovery" }.map(\.sender)).count == 2)
      daemon.hear()
      _ = try await first.next(before: .soon)
      _ = try await second.next(before: .soon)
      await first.stop()
      try await expectNothing(daemon, second)
      await second.stop()
    }
  }
}
