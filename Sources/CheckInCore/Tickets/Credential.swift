/// What an issuer's signature says of a key: whose it is, at which event, from when until when, at which gates.
///
/// An attendee's credential is a **ticket**, a kiosk's is what it proves itself with. Both are CWTs (RFC 8392): a COSE_Sign1
/// of the claims, signed by the issuer's key, with the holder's key in `cnf` (RFC 8747). The bytes are public; only who has
/// the private half of that key can use them.
public struct Credential: Hashable, Sendable {
  /// What the holder may do with it. One of one role is never taken for one of another.
  public enum Role: UInt64, Hashable, Sendable, CaseIterable {
    /// To check in.
    case attendee = 1
    /// To check others in.
    case kiosk = 2
  }

  /// The holder's role.
  public let role: Role
  /// The event's identifier, which stands for the issuer (`iss`).
  public let event: String
  /// The event's name, for people.
  public let eventName: String
  /// The organizer's identifier of the attendee or kiosk (`sub`).
  public let subject: String
  /// The attendee's or kiosk's name, for people.
  public let name: String
  /// The holder's key (`cnf`).
  public let key: PublicKey
  /// The serial number (`cti`), by which the organizer takes this one credential back. One to 64 bytes.
  public let serial: [UInt8]
  /// Times (`iat`, `nbf`, `exp`) and gates.
  public let validity: Validity

  /// A credential.
  public init(
    role: Role, event: String, eventName: String, subject: String, name: String, key: PublicKey, serial: [UInt8],
    validity: Validity
  ) {
    self.role = role
    self.event = event
    self.eventName = eventName
    self.subject = subject
    self.name = name
    self.key = key
    self.serial = serial
    self.validity = validity
  }

  /// The same, as a kiosk's session knows an attendee.
  public var holder: TokenHolder {
    TokenHolder(
      attendee: subject, name: name, key: key, issuedAt: validity.issuedAt, validFrom: validity.validFrom,
      validUntil: validity.validUntil, gates: validity.gates)
  }
}

extension Credential {
  /// Signs the claims: the bytes of the ticket.
  ///
  /// - Throws: ``CredentialError/limitExceeded`` when a claim is larger than a reader would accept,
  ///   ``CredentialError/signingFailed(_:)``.
  public func sign(by issuer: some SigningKey) throws(CredentialError) -> [UInt8] {
    let claims = try self.claims()
    let bytes: [UInt8]
    do throws(SigningError) {
      bytes = try SignedEnvelope.sign(claims, by: issuer)
    } catch {
      throw .signingFailed(error.message)
    }
    guard bytes.count <= MessageLimits.token else { throw .limitExceeded }
    return bytes
  }

  /// Reads a credential that the issuer signed. The claims are read only after the signature was found good.
  ///
  /// Times, gate, event and role are for the caller to judge.
  ///
  /// - Throws: ``CredentialError``.
  public init(
    _ bytes: [UInt8], issuedBy issuer: PublicKey, cryptography: some Cryptography
  ) throws(CredentialError) {
    guard SignedEnvelope.begins(bytes, form: .credential) else { throw .notACredential }
    guard bytes.count <= MessageLimits.token else { throw .malformed("it is larger than allowed") }
    let envelope: SignedEnvelope
    do throws(EnvelopeError) {
      envelope = try SignedEnvelope(bytes, form: .credential)
      try envelope.verify(by: issuer, cryptography: cryptography)
    } catch {
      switch error {
      case .notAnEnvelope: throw .notACredential
      case .badSignature: throw .forged
      case .malformed, .invalid: throw .malformed(error.message)
      }
    }
    try self.init(claims: envelope.payload)
  }
}
