/// Who an attendee is and whom the phone trusts: the same for all attempts.
public struct AttendeeProfile: Hashable, Sendable {
  /// The token to present, at most 4096 bytes.
  public let token: [UInt8]
  /// The issuer's key: only a kiosk whose credential it signed gets the token.
  public let issuer: PublicKey
  /// The organizer's identifier of the event that the token is for.
  public let event: String
  /// The names of the authenticators that the phone has. The kiosk's order decides among them (R14).
  public let authenticators: [String]
  /// The name that the token was given out for, for ``ConfirmationContext/attendee``. It is not sent.
  public let name: String?

  /// A profile.
  public init(token: [UInt8], issuer: PublicKey, event: String, authenticators: [String], name: String? = nil) {
    self.token = token
    self.issuer = issuer
    self.event = event
    self.authenticators = authenticators
    self.name = name
  }
}

/// Which kiosk the phone is talking to, from a hello that it has verified (R8).
public struct KioskIdentity: Hashable, Sendable {
  /// The event's name, for people; its identifier where the credential has no name.
  public let event: String
  /// The kiosk's name, for people; its identifier where the credential has no name.
  public let kiosk: String
  /// The gate.
  public let gate: String
  /// The session that the kiosk opened.
  public let session: SessionID

  /// An identity.
  public init(event: String, kiosk: String, gate: String, session: SessionID) {
    self.event = event
    self.kiosk = kiosk
    self.gate = gate
    self.session = session
  }
}
