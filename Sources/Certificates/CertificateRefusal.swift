/// Why a peer's certificate was not accepted. It is for the side that judged: the peer learns only that it was refused.
public struct CertificateRefusal: Error, Sendable, Hashable {
  /// The kinds of refusal. New ones may come: switch with a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, stable, for logs and JSON.
    public let description: String

    private init(_ name: String) {
      description = name
    }

    /// The peer presented no certificate.
    public static let noCertificate = Code("no_certificate")
    /// Another issuer signed it, perhaps one that has the same name.
    public static let otherIssuer = Code("other_issuer")
    /// It is signed by its own key.
    public static let selfSigned = Code("self_signed")
    /// Its time is over, or its issuer's.
    public static let expired = Code("expired")
    /// Its time has not begun, or its issuer's has not.
    public static let notYetValid = Code("not_yet_valid")
    /// The organizer took it back.
    public static let revoked = Code("revoked")
    /// It is another role's: an attendee's where a kiosk's is needed, or the other way.
    public static let wrongRole = Code("wrong_role")
    /// It is for another event.
    public static let wrongEvent = Code("wrong_event")
    /// Its key usage or extended key usage does not allow what it is used for.
    public static let notForThisUse = Code("not_for_this_use")
    /// It may issue certificates, which a kiosk's or an attendee's must not.
    public static let authorityWhereNoneMayBe = Code("authority_where_none_may_be")
    /// Its key, or its issuer's, is of a kind that is not used here, such as RSA, or too weak.
    public static let weakKey = Code("weak_key")
    /// More certificates stand between it and the issuer, or came with it, than may.
    public static let chainTooLong = Code("chain_too_long")
    /// Its name or identity holds a NUL, another control character, or what cannot be read.
    public static let nameMalformed = Code("name_malformed")
    /// It does not follow the rules of X.509, or its bytes are damaged.
    public static let damaged = Code("damaged")
  }

  /// Which kind of refusal.
  public let code: Code
  /// What is wrong with which certificate: a sentence or two for people.
  public let message: String

  /// A refusal.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension CertificateRefusal: CustomStringConvertible {
  /// The message with its code.
  public var description: String { "\(message) (\(code))" }
}
