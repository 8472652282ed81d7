/// The address of a Bluetooth device, with its type: the same six bytes of another type are another device.
struct DeviceAddress: Hashable, Sendable {
  /// The type of an address, numbered as the kernel's management interface does.
  enum Kind: UInt8, Sendable {
    /// Of a classic device.
    case classic = 0
    /// Given out by the IEEE.
    case publicLE = 1
    /// Drawn at random, for a time or for ever.
    case randomLE = 2
  }

  /// The six bytes.
  let address: BluetoothAddress
  /// The type.
  let kind: Kind

  /// An address of a type.
  init(_ address: BluetoothAddress, kind: Kind) {
    self.address = address
    self.kind = kind
  }

  /// From six bytes at an offset, in the kernel's order.
  ///
  /// - Precondition: they are there.
  init(_ bytes: [UInt8], at offset: Int, kind: Kind) {
    address = BluetoothAddress(
      lowestFirst: (
        bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3], bytes[offset + 4], bytes[offset + 5]
      ))
    self.kind = kind
  }
}
