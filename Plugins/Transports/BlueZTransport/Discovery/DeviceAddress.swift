/// The address of a Bluetooth device, with its type: the same six bytes of another type are another device.
package struct DeviceAddress: Hashable, Sendable {
  /// The type of an address, numbered as the kernel's management interface does.
  package enum Kind: UInt8, Sendable {
    /// Of a classic device.
    case classic = 0
    /// Given out by the IEEE.
    case publicLE = 1
    /// Drawn at random, for a time or for ever.
    case randomLE = 2
  }

  /// The six bytes in the order in which they are written; the air and the kernel have the opposite one.
  package let bytes: [UInt8]
  /// The type.
  package let kind: Kind

  /// From six bytes in the kernel's order.
  ///
  /// - Precondition: there are six.
  package init(kernelOrder bytes: some Collection<UInt8>, kind: Kind) {
    precondition(bytes.count == 6, "an address has six bytes")
    self.bytes = bytes.reversed()
    self.kind = kind
  }

  /// The address, as in 00:11:22:33:44:55.
  package var text: String { bytes.map { DeviceAddress.hexadecimal($0) }.joined(separator: ":") }

  /// Whether the text is the same six bytes.
  package func hasText(_ other: String) -> Bool { text == other.uppercased() }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return text.utf8.count == 1 ? "0" + text : text
  }
}
