/// A session with a PIN, whose person is to confirm: the part of ``KioskSessionState`` with the most to remember.
struct Confirming: Sendable {
  /// What the session waits for before it looks at the next confirmation. One at a time, so that no two guesses race.
  enum Work: Sendable {
    /// A verifier judges evidence.
    case judging
    /// The ledger records wrong digits.
    case recordingWrongPIN
    /// The ledger records a refused confirmation.
    case recordingRefusal
    /// The desk is asked for a new PIN.
    case renewing
    /// The desk is asked how long the token has to wait.
    case delaying
  }

  /// How the session is to end as soon as its work is done.
  enum Ending: Sendable {
    case refuse(Reason)
    /// Without an answer: the same request lives on in another session.
    case handOver
  }

  var bound: KioskSessionState.Bound
  private(set) var pin: PIN
  private(set) var deadline: MonotonicTime
  var attemptsLeft: Int
  var confirmationsLeft: Int
  var isOnScreen = false
  /// Whether the PIN is to be replaced, if it is short-lived, because the session has just reached the screen.
  var isRenewalDue = false
  var work: Work?
  var ending: Ending?
  /// Digits that were typed while there was work.
  var heldDigits: PIN?
  /// A check-in request that came while there was work.
  var heldRequest: Message.CheckInRequest?
  private var replaced: PIN?

  init(bound: KioskSessionState.Bound, pin: PIN, deadline: MonotonicTime, settings: KioskSettings) {
    self.bound = bound
    self.pin = pin
    self.deadline = deadline
    attemptsLeft = settings.wrongPINs
    confirmationsLeft = settings.refusedConfirmations
  }

  /// A new PIN takes the place of the old, which is dead from now on (R6).
  mutating func replacePIN(_ new: PIN, deadline: MonotonicTime) {
    replaced = pin
    pin = new
    self.deadline = deadline
  }

  /// Whether these digits are the PIN just replaced, which a phone may honestly have sent before it heard of the new
  /// one. It is refused like any other; only, once, it is no guess.
  mutating func forgivesReplaced(_ digits: PIN) -> Bool {
    guard let old = replaced, old.matches(digits) else { return false }
    replaced = nil
    return true
  }
}
