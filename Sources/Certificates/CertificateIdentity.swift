internal import CheckInCore

/// Who a certificate's holder is: the URI `checkin:<event>/<role>/<id>` in subjectAltName.
///
/// Event and id are percent-encoded (RFC 3986 §2.1): the unreserved characters stand for themselves, each other byte of
/// UTF-8 is `%` and two upper-case hexadecimal digits. That is the one form; a reader refuses every other.
struct CertificateIdentity: Hashable, Sendable {
  /// How many bytes of UTF-8 an event's or a holder's identifier may have, as in a ticket.
  static let longestIdentifier = 256
  private static let scheme = "checkin:"

  let event: String
  let role: CertificateRole
  let id: String

  /// An identity; nil when an identifier is empty, too long, or holds a control character.
  init?(event: String, role: CertificateRole, id: String) {
    guard CertificateIdentity.isIdentifier(event), CertificateIdentity.isIdentifier(id) else { return nil }
    self.event = event
    self.role = role
    self.id = id
  }

  /// Whether a URI claims to be an identity, well-formed or not.
  static func isClaimed(by uri: [UInt8]) -> Bool {
    let scheme = Array(scheme.utf8)
    guard uri.count >= scheme.count else { return false }
    // Schemes are compared without case (RFC 3986 §3.1), so that `Checkin:` is a malformed one and not a foreign one.
    return zip(uri, scheme).allSatisfy { (65...90).contains($0) ? $0 + 32 == $1 : $0 == $1 }
  }

  /// Reads a URI; nil when it is not exactly one that ``uri`` gives.
  init?(uri: [UInt8]) {
    let scheme = Array(CertificateIdentity.scheme.utf8)
    guard uri.starts(with: scheme) else { return nil }
    let parts = uri.dropFirst(scheme.count).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 3, let event = CertificateIdentity.decoded(parts[0]),
      let role = CertificateRole(rawValue: String(decoding: parts[1], as: UTF8.self)),
      let id = CertificateIdentity.decoded(parts[2]), let read = CertificateIdentity(event: event, role: role, id: id),
      read.uri == uri
    else { return nil }
    self = read
  }

  /// The URI, in ASCII.
  var uri: [UInt8] {
    Array("\(CertificateIdentity.scheme)\(encoded(event))/\(role.rawValue)/\(encoded(id))".utf8)
  }

  private static func isIdentifier(_ text: String) -> Bool {
    (1...longestIdentifier).contains(text.utf8.count) && text.isFreeOfControls
  }

  private func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += "%" + hexadecimal([byte]).uppercased()
      }
    }
    return result
  }

  private static func decoded(_ text: ArraySlice<UInt8>) -> String? {
    guard text.count <= 3 * longestIdentifier else { return nil }
    var result: [UInt8] = []
    var rest = text
    while let first = rest.popFirst() {
      if first != UInt8(ascii: "%") {
        result.append(first)
        continue
      }
      guard rest.count >= 2, let byte = bytes(hexadecimal: String(decoding: rest.prefix(2), as: UTF8.self))?.first
      else { return nil }
      rest = rest.dropFirst(2)
      result.append(byte)
    }
    return String(validating: result, as: UTF8.self)
  }
}

extension String {
  /// Whether the text can be shown as one line without surprises: no NUL or other control character, no end of a line,
  /// nothing that turns the direction of writing.
  var isFreeOfControls: Bool {
    unicodeScalars.allSatisfy { !$0.isControl }
  }

  /// The text with a replacement character where one stood that ``isFreeOfControls`` objects to.
  var withoutControls: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      result.append(scalar.isControl ? "\u{fffd}" : scalar)
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    switch value {
    case 0...0x1f, 0x7f...0x9f, 0x2028, 0x2029, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
