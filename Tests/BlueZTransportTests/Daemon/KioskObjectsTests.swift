internal import BlueZTransport
internal import CheckIn
internal import CheckInCore
internal import TestSupport
internal import Testing

@Suite("The kiosk's GATT service", .timeLimit(.minutes(1)))
struct KioskObjectsTests {
  private let advertisement = Advertisement(kiosk: "Hall A", event: ShortEventID(rawValue: 0x0102_0304))
  private let properties = "org.freedesktop.DBus.Properties"

  @Test(
    "publishes the PSM as CoreBluetooth expects it, two bytes, low byte first; and the service data, which tells of TLS",
    arguments: [false, true])
  func gatt(carriesTLS: Bool) async throws {
    var advertisement = advertisement
    advertisement.carriesTLS = carriesTLS
    try await PrivateBus.run { bus in
      let daemon = try await FakeDaemon.start(on: bus.address)
      let advertiser = try await DaemonAdvertiserTests.discovery(bus).advertise(
        advertisement, at: try Endpoint("l2cap://hci0?psm=0x00f5"))
      let (sender, _, gatt) = try await daemon.registered()
      let objects = try #require(daemon.applications.first?.first?.entries)
      let all = objects.reduce(into: [String: [String: [String: BusValue]]]()) { all, entry in
        all[entry.key.path ?? ""] = entry.value.entries?.reduce(into: [:]) { interfaces, entry in
          interfaces[entry.key.string ?? ""] = entry.value.properties
        }
      }
      let service = try #require(all.first { $0.value["org.bluez.GattService1"] != nil })
      func published(_ uuid: String) -> (key: String, value: [String: [String: BusValue]])? {
        all.first { $0.value["org.bluez.GattCharacteristic1"]?["UUID"] == .string(uuid) }
      }
      let characteristic = try #require(published("abdd3056-28fa-441d-a470-55a75a52553a"))
      let serviceData = try #require(published("7c7e5b12-334d-48e2-a908-f41afcd6e1df"))
      #expect(all.count == 3)
      #expect(service.key.hasPrefix(gatt + "/"))
      #expect(characteristic.key.hasPrefix(service.key + "/"))
      #expect(
        service.value["org.bluez.GattService1"] == [
          "UUID": .string("05958059-e5b0-411d-901b-73bbd41fc1f6"), "Primary": .bool(true),
        ])
      #expect(
        characteristic.value["org.bluez.GattCharacteristic1"] == [
          "UUID": .string("abdd3056-28fa-441d-a470-55a75a52553a"), "Service": .path(service.key),
          "Flags": .array(of: "s", [.string("read")]),
        ])
      #expect(serviceData.value["org.bluez.GattCharacteristic1"]?["Service"] == .path(service.key))
      #expect(
        try await daemon.call(
          sender, serviceData.key, "org.bluez.GattCharacteristic1", "ReadValue", [.properties([:])])
          == [.bytes([carriesTLS ? 0x11 : 0x10, 0xf5, 0x00, 1, 2, 3, 4])])
      func read(_ options: [BusValue]) async throws -> [BusValue] {
        try await daemon.call(sender, characteristic.key, "org.bluez.GattCharacteristic1", "ReadValue", options)
      }
      #expect(try await read([.properties([:])]) == [.bytes([0xf5, 0x00])])
      #expect(try await read([.properties(["offset": .uint16(1)])]) == [.bytes([0x00])])
      #expect(try await read([.properties(["offset": .uint16(2)])]) == [.bytes([])])
      #expect(try await read([]) == [.bytes([0xf5, 0x00])])
      #expect(try await read([.string("garbage")]) == [.bytes([0xf5, 0x00])])
      await #expect(throws: BusError.refused(name: "org.bluez.Error.InvalidOffset", text: "The value has 2 bytes.")) {
        try await read([.properties(["offset": .uint16(3)])])
      }
      await #expect(throws: BusError.self) {
        try await daemon.call(
          sender, characteristic.key, "org.bluez.GattCharacteristic1", "WriteValue", [.bytes([1]), .properties([:])])
      }
      // Of what is read in ways other than bluetoothd's there is the same.
      #expect(
        try await daemon.call(
          sender, service.key, properties, "Get",
          [
            .string("org.bluez.GattService1"), .string("Primary"),
          ]) == [.variant(.bool(true))])
      for arguments in [[], [.string("x")], [.string("org.bluez.GattService1"), .string("Nothing")]] as [[BusValue]] {
        await #expect(throws: BusError.self) {
          try await daemon.call(sender, service.key, properties, "Get", arguments)
        }
      }
      await #expect(throws: BusError.self) {
        try await daemon.call(
          sender, service.key, properties, "Set",
          [
            .string("org.bluez.GattService1"), .string("Primary"), .variant(.bool(false)),
          ])
      }
      await advertiser.stop()
    }
  }
}
