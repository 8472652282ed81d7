internal import CheckInCore

/// The commands that discovery gives (BlueZ, “Management Protocol”, by their codes).
enum ManagementCommand {
  static let readControllers = ManagementPacket(code: 0x0003)

  static func readInfo(_ controller: UInt16) -> ManagementPacket {
    ManagementPacket(code: 0x0004, controller: controller)
  }

  static func setPowered(_ controller: UInt16) -> ManagementPacket {
    ManagementPacket(code: 0x0005, controller: controller, parameters: [1])
  }

  static func setLowEnergy(_ controller: UInt16) -> ManagementPacket {
    ManagementPacket(code: 0x000d, controller: controller, parameters: [1])
  }

  /// Public and random LE addresses, and no classic devices.
  static func startDiscovery(_ controller: UInt16) -> ManagementPacket {
    ManagementPacket(code: 0x0023, controller: controller, parameters: [0x06])
  }

  static func stopDiscovery(_ controller: UInt16) -> ManagementPacket {
    ManagementPacket(code: 0x0024, controller: controller, parameters: [0x06])
  }

  static func readAdvertisingFeatures(_ controller: UInt16) -> ManagementPacket {
    ManagementPacket(code: 0x003d, controller: controller)
  }

  /// Connectable and discoverable, with flags that the kernel adds.
  ///
  /// - Parameter lifetime: after how many seconds the kernel takes it away; a program that is killed cannot.
  static func addAdvertising(
    _ controller: UInt16, instance: UInt8, lifetime: UInt16, _ advertisement: BluetoothAdvertisement
  ) -> ManagementPacket {
    let data = advertisement.advertisingData
    let response = advertisement.scanResponse
    let flags: UInt32 = 1 << 0 | 1 << 1
    let noDuration: UInt16 = 0
    let head: [UInt8] =
      [instance] + flags.littleEndianBytes + noDuration.littleEndianBytes + lifetime.littleEndianBytes
    return ManagementPacket(
      code: 0x003e, controller: controller,
      parameters: head + [UInt8(data.count), UInt8(response.count)] + data + response)
  }

  static func removeAdvertising(_ controller: UInt16, instance: UInt8) -> ManagementPacket {
    ManagementPacket(code: 0x003f, controller: controller, parameters: [instance])
  }
}
