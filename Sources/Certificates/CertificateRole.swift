/// What a certificate's holder is to an event. A certificate of one role is worth nothing in another.
public enum CertificateRole: String, Sendable, Hashable, CaseIterable {
  /// The organizer's own: it signs the others, and nothing else.
  case issuer
  /// A kiosk's: a TLS server.
  case kiosk
  /// An attendee's: a TLS client.
  case attendee
}
