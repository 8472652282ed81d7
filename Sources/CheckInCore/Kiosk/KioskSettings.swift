/// The bounds of one session at a kiosk. The values that it starts with are the protocol's; tests shorten them.
public struct KioskSettings: Hashable, Sendable {
  /// How long a phone may take from the hello to its initial request.
  public var initialRequestWait: Duration = .seconds(10)
  /// How long after the arrival of an initial request with an invalid token the kiosk closes, whatever the cause (R16).
  /// A phone takes an end within ``AttendeeSettings/shortestSilence`` for that of a kiosk that was killed.
  public var silence: Duration = .seconds(5)
  /// How long a PIN lives (R4).
  public var pinLifetime: Duration = .seconds(120)
  /// A session that reaches the screen with less than this left on its PIN gets a new one.
  public var pinRenewal: Duration = .seconds(60)
  /// How many wrong PINs end a session (R3).
  public var wrongPINs: Int = 3
  /// How many refused confirmations end the phone's part of a session (R15).
  public var refusedConfirmations: Int = 5
  /// How long the kiosk waits for the phone's goodbye.
  public var goodbyeWait: Duration = .seconds(2)
  /// How long a session may take in all.
  public var session: Duration = .seconds(600)
  /// What a phone is told to wait when the kiosk is full.
  public var busyRetry: Duration = .seconds(5)

  /// The protocol's values.
  public init() {}
}
