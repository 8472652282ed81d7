/// A passport's number as it stands in the machine-readable zone: capital letters and digits (ICAO 9303-4 §4.2.2).
public struct PassportNumber: Hashable, Sendable {
  /// How many characters there may be. The zone has nine; states with longer numbers go on in its optional field.
  public static let lengths = 6...15

  /// The number.
  public let text: String

  /// Reads what a person typed: small letters become capitals, spaces are passed over. Anything else gives nil.
  public init?(_ typed: String) {
    var characters: [UInt8] = []
    for byte in typed.utf8 {
      switch byte {
      case 48...57, 65...90: characters.append(byte)
      case 97...122: characters.append(byte - 32)
      case 32: continue
      default: return nil
      }
      guard characters.count <= PassportNumber.lengths.upperBound else { return nil }
    }
    guard PassportNumber.lengths.contains(characters.count), characters.contains(where: { $0 < 58 }) else { return nil }
    text = String(decoding: characters, as: UTF8.self)
  }
}
