/// What came of asking a person to confirm on the phone.
public enum Confirmation: Hashable, Sendable {
  /// The person confirmed; the verifier at the kiosk will judge the evidence.
  case confirmed(evidence: [UInt8])
  /// The person types the PIN at the kiosk instead (R15).
  case useKeypad(KeypadCause)
  /// The person gave up.
  case cancelled

  /// Why the keypad is used.
  public enum KeypadCause: String, Hashable, Sendable {
    /// It is the way this authenticator works.
    case chosen
    /// The person said no.
    case declined
    /// The attempt failed, such as a finger that was not recognised.
    case failed
    /// The phone cannot do it.
    case unavailable
    /// Too many failures.
    case lockedOut = "locked_out"
  }
}
