/// Who a valid token belongs to, and what it allows.
public struct TokenHolder: Hashable, Sendable {
  /// The organizer's identifier of the attendee. Admission is once per identifier.
  public let attendee: String
  /// The name to greet the person with.
  public let name: String
  /// The key that signs the attendee's messages (RFC 8747 `cnf`).
  public let key: PublicKey
  /// When the token was issued, where that is known.
  public let issuedAt: WallTime?
  /// The first second of validity; nil: no limit.
  public let validFrom: WallTime?
  /// The first second that is not valid any more; nil: no limit.
  public let validUntil: WallTime?
  /// The gates that it opens; empty: every gate.
  public let gates: [String]

  /// A holder.
  public init(
    attendee: String, name: String, key: PublicKey, issuedAt: WallTime? = nil, validFrom: WallTime? = nil,
    validUntil: WallTime? = nil, gates: [String] = []
  ) {
    self.attendee = attendee
    self.name = name
    self.key = key
    self.issuedAt = issuedAt
    self.validFrom = validFrom
    self.validUntil = validUntil
    self.gates = gates
  }
}

/// What a verifier says of a token. Times and gates are not its business: the session judges them by the holder.
public enum TokenVerdict: Hashable, Sendable {
  /// The token is genuine.
  case valid(TokenHolder)
  /// The token is genuine, and refused all the same: ``Reason/revoked`` or ``Reason/wrongEvent``. The holder's phone
  /// is told so.
  case refused(Reason, TokenHolder)
  /// The token is nobody's. It gets no answer (R16).
  case invalid(InvalidToken)
}

/// Why a token, or the request that carried it, is nobody's. For the log only: the phone never learns it (R16).
public enum InvalidToken: String, Hashable, Sendable, CaseIterable {
  /// No list has it and it is no ticket.
  case unknown
  /// It is a ticket, and the issuer's signature is not on it.
  case forged
  /// It begins like a ticket and cannot be decoded.
  case malformed
  /// It is genuine, and the request is not signed by the key that it names.
  case badSignature = "bad_signature"
  /// It is a credential of the issuer's for another role, such as a kiosk's.
  case wrongRole = "wrong_role"
}
