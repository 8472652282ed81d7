/// What a certificate's holder is to an event. A certificate of one role is worth nothing in another.
public enum CertificateRole: String, Sendable, Hashable, CaseIterable {
  /// The organizer's own: it signs the others, and nothing else.
  case issuer
  /// A kiosk's: a TLS server.
  case kiosk
  /// An attendee's: a TLS client.
  case attendee
  /// An enrollment server's: a TLS server, where people register.
  case enrollment
  /// The one that is built into every copy of an app: a TLS client that may register, and nothing else.
  case installation

  /// Whether it is a TLS server's.
  var isServer: Bool { self == .kiosk || self == .enrollment }
}
