/// The six bytes of a Bluetooth device address, and how they are written: `00:11:22:33:44:55`.
package struct BluetoothAddress: Hashable, Sendable {
  /// The bytes in the order in which they are written; on the air and in C they stand the other way round.
  package let bytes: [UInt8]

  /// No device: any controller, where one is asked for.
  static let any = BluetoothAddress(bytes: [0, 0, 0, 0, 0, 0])

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads six pairs of hexadecimal digits with colons between them; nil where it is anything else.
  package init?(_ text: String) {
    let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
    guard pairs.count == 6 else { return nil }
    var bytes: [UInt8] = []
    for pair in pairs {
      // A sign would be read too.
      guard pair.utf8.count == 2, pair.utf8.allSatisfy(\.isHexadecimalDigit), let byte = UInt8(pair, radix: 16) else {
        return nil
      }
      bytes.append(byte)
    }
    self.bytes = bytes
  }

  /// From the order of C and of the air.
  init(lowestFirst: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)) {
    let (a, b, c, d, e, f) = lowestFirst
    bytes = [f, e, d, c, b, a]
  }

  /// In the order of C and of the air.
  var lowestFirst: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) {
    (bytes[5], bytes[4], bytes[3], bytes[2], bytes[1], bytes[0])
  }
}

extension BluetoothAddress: CustomStringConvertible {
  /// Capital letters, as the tools of BlueZ write it.
  package var description: String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }.joined(separator: ":")
  }
}

extension UInt8 {
  /// `0-9`, `a-f` or `A-F`.
  fileprivate var isHexadecimalDigit: Bool {
    (48...57).contains(self) || (65...70).contains(self) || (97...102).contains(self)
  }
}
