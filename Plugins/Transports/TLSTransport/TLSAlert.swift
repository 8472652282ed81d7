internal import CheckIn

/// A fatal alert that the peer has sent (RFC 8446 §6.2).
struct TLSAlert: Error, Hashable, CustomStringConvertible {
  let number: Int

  /// The library's reason, from which an alert is told by an offset of 1000.
  init?(reason: Int) {
    guard (1_000..<1_256).contains(reason) else { return nil }
    number = reason - 1_000
  }

  var description: String { "TLS alert \(number)" }

  /// For people, with the code that every transport has for it.
  func error(from peer: String) -> TransportError {
    if let why = Self.aboutCertificates[number] {
      return TransportError(.certificateRefused, "\(peer) refused our certificate: \(why)", cause: self)
    }
    switch number {
    case 70: return TransportError(.malformed, "\(peer) does not speak TLS 1.3.", cause: self)
    case 120:
      return TransportError(
        .malformed, "\(peer) speaks TLS and not “\(TLSTransport.applicationProtocol)” in it.", cause: self)
    default: return TransportError(.lost, "\(peer) ended the TLS connection (alert \(number)).", cause: self)
    }
  }

  private static let aboutCertificates = [
    42: "it says that it is not good.",
    43: "it says that it is not one for this use: the role or the event may be wrong.",
    44: "it says that it was revoked. Ask the organizer.",
    45: "it says that it has expired. Ask the organizer for a new one.",
    46: "it does not say why.",
    48: "it says that it is not from its event's organizer.",
    49: "it says that it may not come in.",
    116: "it says that there was none.",
  ]
}
