public import CheckInCore

/// What is kept of a person who registers, or has.
public struct AccountRecord: Hashable, Sendable {
  /// The account's identifier, which stands in the certificate.
  public var id: String
  /// The phone number.
  public var number: String
  /// The person's name, where a reviewer gave one.
  public var name: String
  /// The serial number of the certificate that may be used: an older one of the same account may not.
  public var serial: [UInt8]
  /// SHA-256 of the token.
  public var token: Digest
  /// How far it is.
  public var status: EnrollmentStatus
  /// Which picture is being looked at, with ``EnrollmentStatus/processing``.
  public var reviewing: PictureKind?
  /// When that picture was handed in.
  public var submitted: WallTime?
  /// Why a picture was not accepted; empty: none was refused.
  public var reason: String
  /// The number of the passport; empty before it was sent.
  public var passportNumber: String
  /// The picture of the passport, by its content.
  public var passport: Digest?
  /// The picture of the person, by its content.
  public var selfie: Digest?
  /// Whether the person has set a PIN: from then on nothing is answered before a log-in.
  public var isSealed: Bool
  /// How many wrong PINs came since the last right one.
  public var failures: Int
  /// Whether the account is locked.
  public var isLocked: Bool
  /// Whether its phone number was registered again: then the account is closed for ever.
  public var isReplaced: Bool
  /// When it was made.
  public var created: WallTime

  /// A new account.
  public init(id: String, number: String, serial: [UInt8], token: Digest, created: WallTime) {
    self.id = id
    self.number = number
    self.serial = serial
    self.token = token
    self.created = created
    name = ""
    status = .passportNumber
    reason = ""
    passportNumber = ""
    isSealed = false
    failures = 0
    isLocked = false
    isReplaced = false
  }
}
