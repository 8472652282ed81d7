/// What the phone's screen shows. One view replaces the one before, except that ``notice(_:)`` adds to it.
public enum AttendeeView: Sendable {
  /// The kiosk has proved who it is; shown before the token is sent (R8).
  case kiosk(KioskIdentity)
  /// The token was sent; the kiosk has not answered yet.
  case presented
  /// The person is being asked by this authenticator.
  case confirm(authenticator: String)
  /// The PIN, in large digits: type this at the kiosk.
  case pin(PINView)
  /// The authenticator did not confirm, for this cause, and the kiosk takes no digits: the attempt is being cancelled.
  case noKeypad(Confirmation.KeypadCause)
  /// The confirmation was sent; the kiosk decides.
  case checking
  /// How things stand at the kiosk.
  case notice(Message.Notice)
  /// How it ended.
  case outcome(AttendeeOutcome)

  /// A PIN for a person to read. It is for the screen alone: no log, no event.
  public struct PINView: Sendable {
    /// The five digits.
    public let pin: PIN
    /// When it dies, on the phone's monotonic clock.
    public let deadline: MonotonicTime
    /// How many wrong ones end the session.
    public let attemptsLeft: Int
    /// Why the keypad is used; nil when the kiosk only replaced the PIN or refused a confirmation.
    public let cause: Confirmation.KeypadCause?

    /// A PIN to show.
    public init(pin: PIN, deadline: MonotonicTime, attemptsLeft: Int, cause: Confirmation.KeypadCause?) {
      self.pin = pin
      self.deadline = deadline
      self.attemptsLeft = attemptsLeft
      self.cause = cause
    }
  }
}
