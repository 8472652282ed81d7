/// The place of one session in the queue or on the screen.
struct DeskSeat: Sendable {
  let visitor: Visitor
  /// The live PIN; nil once it is used up (R5).
  var pin: PIN?
  /// When the PIN dies.
  var deadline: MonotonicTime
  var attemptsLeft: Int
  /// How many were before it when it was last told.
  var toldAhead: Int?
  /// What the greeting says beside the boxes.
  var hint = KioskView.Hint.confirm
}

/// One open session, as the desk knows it.
struct DeskSession: Sendable {
  /// What tells its peer from others, where that is known.
  let peer: String?
  /// How many were admitted before it.
  let number: Int
  var isHalfOpen = true
  var seat: DeskSeat?
}

/// What the screen is taken by.
enum DeskScreen: Sendable {
  case free
  case greeting(SessionID)
  case outcome(KioskOutcome, since: MonotonicTime, until: MonotonicTime)
}
