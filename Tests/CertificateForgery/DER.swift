internal import CheckInCore
internal import Foundation

/// Just enough of DER (X.690) to write certificates that nobody should issue.
package enum DER {
  package static func tagged(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
    let body = parts.flatMap(\.self)
    switch body.count {
    case ..<0x80: return [tag, UInt8(body.count)] + body
    case ..<0x100: return [tag, 0x81, UInt8(body.count)] + body
    default: return [tag, 0x82, UInt8(body.count >> 8), UInt8(body.count & 0xff)] + body
    }
  }

  package static func sequence(_ parts: [UInt8]...) -> [UInt8] { tagged(0x30, parts.flatMap(\.self)) }
  package static func integer(_ bytes: [UInt8]) -> [UInt8] { tagged(0x02, bytes) }
  package static func octets(_ bytes: [UInt8]) -> [UInt8] { tagged(0x04, bytes) }
  package static func bits(_ bytes: [UInt8]) -> [UInt8] { tagged(0x03, [0] + bytes) }
  package static func text(_ text: String) -> [UInt8] { tagged(0x0c, Array(text.utf8)) }

  /// An object identifier, given by the hexadecimal digits of its content.
  package static func object(_ hexadecimal: String) -> [UInt8] {
    tagged(0x06, CheckInCore.bytes(hexadecimal: hexadecimal)!)
  }

  /// A name of one common name.
  package static func name(_ value: [UInt8]) -> [UInt8] { sequence(tagged(0x31, sequence(object("550403"), value))) }
  package static func name(_ value: String) -> [UInt8] { name(text(value)) }

  /// A UTCTime, for years from 1950 to 2049.
  package static func time(_ seconds: Int64) -> [UInt8] {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "yyMMddHHmmss'Z'"
    return tagged(0x17, Array(formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds))).utf8))
  }

  /// An extension; `identifier` is the content of its object identifier.
  package static func ext(_ identifier: String, critical: Bool = false, _ value: [UInt8]) -> [UInt8] {
    sequence(object(identifier), critical ? [0x01, 0x01, 0xff] : [], octets(value))
  }
}
