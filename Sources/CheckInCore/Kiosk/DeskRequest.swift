/// What a session asks of its kiosk's desk.
public enum DeskRequest: Sendable {
  /// The phone has sent its first message: the session is not half open any more (R19).
  case initialRequestArrived
  /// The token is nobody's: log it, within the limit (R16).
  case invalidToken(token: Digest, why: InvalidToken)
  /// A valid token: give the session a PIN and a place in the queue. The answers are ``DeskNote/pinIssued(_:)`` and a place,
  /// or ``DeskNote/turnedAway(_:retryAfter:)``.
  case enter(Visitor)
  /// Replace the session's PIN by a new one. The answer is ``DeskNote/pinIssued(_:)``.
  case renewPIN
  /// The digits were wrong, typed or sent, and the ledger has it: count it (R3), clear the boxes, say so.
  case wrongPIN(attemptsLeft: Int)
  /// The confirmation on the phone was refused, and the ledger has it: count it, say so.
  case confirmationFailed
  /// The PIN is used up: it is not live any more, and what is typed goes nowhere (R5).
  case consumePIN
  /// The attempt is over: leave the queue or the screen, which shows the outcome if there is one and the session has the
  /// screen or nobody has it.
  case leave(KioskOutcome?)
  /// The session is over; the last of its requests.
  case closed
}

/// Somebody with a valid token, on the way to the screen.
public struct Visitor: Hashable, Sendable {
  /// The name to greet with.
  public let name: String
  /// SHA-256 of the token.
  public let token: Digest
  /// The attempt.
  public let request: RequestID

  /// A visitor.
  public init(name: String, token: Digest, request: RequestID) {
    self.name = name
    self.token = token
    self.request = request
  }
}

/// What the desk tells a session.
public enum DeskNote: Sendable {
  /// The session's PIN, in place of any earlier one.
  case pinIssued(PIN)
  /// No PIN: too many failures lately (``Reason/tooManyAttempts``) or no room (``Reason/busy``).
  case turnedAway(Reason, retryAfter: Duration)
  /// The screen shows this session now.
  case onScreen
  /// So many are before this session.
  case waiting(ahead: Int)
  /// Five digits were typed while this session was on the screen (R6).
  case digitsTyped(PIN)
  /// Others need the session's place: if no initial request has come yet, it ends (R19).
  case displaced
  /// A new session with the same token took over; its attempt has this identifier (R6).
  case superseded(by: RequestID)
}
