public import CheckInCore

/// All that an attendee is made of. Every part can be another.
public struct AttendeeConfiguration: Sendable {
  /// Who the attendee is and whom the phone trusts.
  public var profile: AttendeeProfile
  /// The key that the token names.
  public var key: any SigningKey
  /// The ways to confirm that the phone has; those of the profile.
  public var authenticators: [any AuthenticatorProver]
  /// Hashes, verifies and draws random bytes.
  public var cryptography: any Cryptography
  /// Takes what happens.
  public var observer: (any AttendeeObserver)?
  /// Shows the screen.
  public var display: (any AttendeeDisplay)?
  /// The time.
  public var clock: any CheckInClock = SystemClock()
  /// The bounds of each session.
  public var settings = AttendeeSettings()
  /// How long a connection may take to open.
  public var connectBound: Duration = .seconds(10)
  /// How long connecting may take in all its attempts with the pauses between, at the beginning and anew after each connection
  /// that was lost. A kiosk that answers nothing takes up the whole of ``connectBound`` each time.
  public var dialBound: Duration = .seconds(20)
  /// How long the kiosk may take to accept a message before the connection counts as lost.
  public var sendBound: Duration = .seconds(10)
  /// How often the same request is made in all, when its answer was lost.
  public var attempts = 4
  /// How often a connection is tried in all before anything was sent. A radio fails now and then for no reason of anyone's;
  /// over a cable an address that does not answer will not at once.
  public var connectAttempts = 1
  /// The wait before the second attempt; each later one doubles it.
  public var firstRetry: Duration = .milliseconds(250)
  /// Whether transports may be used on which others can read the PIN (R7).
  public var allowsInsecureTransports = false

  /// An attendee's parts; the rest can be set afterwards.
  public init(
    profile: AttendeeProfile, key: any SigningKey, authenticators: [any AuthenticatorProver],
    cryptography: any Cryptography, observer: (any AttendeeObserver)? = nil, display: (any AttendeeDisplay)? = nil
  ) {
    self.profile = profile
    self.key = key
    self.authenticators = authenticators
    self.cryptography = cryptography
    self.observer = observer
    self.display = display
  }
}
