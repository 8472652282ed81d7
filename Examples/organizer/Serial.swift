internal import CheckInCore
internal import ExampleSupport

/// Serials of tickets and certificates, as people write them: in hexadecimal, with or without colons.
enum Serial {
  /// The bytes without zeros in front; nil when it is no number above zero that a certificate can have (RFC 5280 §4.1.2.2).
  static func bytes(of text: String) -> [UInt8]? {
    let digits = text.filter { $0 != ":" }
    guard let all = CheckInCore.bytes(hexadecimal: digits.count % 2 == 0 ? digits : "0" + digits) else { return nil }
    let bytes = Array(all.drop { $0 == 0 })
    guard let first = bytes.first, bytes.count < 20 || (bytes.count == 20 && first < 0x80) else { return nil }
    return bytes
  }

  /// A serial on the command line.
  static var format: CommandLineFormat<[UInt8]> {
    CommandLineFormat("HEX") { text in
      bytes(of: text).map { .success($0) }
        ?? .failure(CommandLineValueFault("it is no number above zero in hexadecimal, of at most 20 bytes"))
    }
  }
}
