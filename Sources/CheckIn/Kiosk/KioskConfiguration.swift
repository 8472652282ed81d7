public import CheckInCore

/// All that a kiosk is made of. Every part can be another.
public struct KioskConfiguration: Sendable {
  /// Who the kiosk is and what it accepts.
  public var profile: KioskProfile
  /// The key that the profile's credential names.
  public var key: any SigningKey
  /// Says whose a token is.
  public var tokens: any TokenVerifier
  /// Judges what phones confirm; those of the profile, in its order.
  public var authenticators: [any AuthenticatorVerifier]
  /// Keeps admissions and refusals.
  public var ledger: any Ledger
  /// Hashes, verifies and draws random bytes.
  public var cryptography: any Cryptography
  /// Takes what happens.
  public var observer: (any KioskObserver)?
  /// Shows the screen.
  public var display: (any KioskDisplay)?
  /// The time.
  public var clock: any CheckInClock = SystemClock()
  /// The bounds of each session.
  public var sessionSettings = KioskSettings()
  /// The limits that sessions share.
  public var deskSettings = DeskSettings()
  /// How long a phone may take to accept a message before its connection counts as lost.
  public var sendBound: Duration = .seconds(10)
  /// Whether transports may be used on which others can read the PIN (R7).
  public var allowsInsecureTransports = false
  /// What to tell whoever is near, on every transport of the kiosk's that has discovery; nil: nothing.
  public var advertisement: Advertisement?

  /// A kiosk's parts; the rest can be set afterwards.
  public init(
    profile: KioskProfile, key: any SigningKey, tokens: any TokenVerifier,
    authenticators: [any AuthenticatorVerifier], ledger: any Ledger, cryptography: any Cryptography,
    observer: (any KioskObserver)? = nil, display: (any KioskDisplay)? = nil
  ) {
    self.profile = profile
    self.key = key
    self.tokens = tokens
    self.authenticators = authenticators
    self.ledger = ledger
    self.cryptography = cryptography
    self.observer = observer
    self.display = display
  }
}
