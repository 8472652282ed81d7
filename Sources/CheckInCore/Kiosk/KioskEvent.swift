/// What a kiosk tells its observer. Never a PIN, a token or a key (`security.md`, R13 and R16).
public enum KioskEvent: Hashable, Sendable {
  /// A genuine token came, with a request signed by its holder.
  case initialRequest(session: SessionID, attendee: String, name: String)
  /// A token that is nobody's came, and gets no answer. `token` is the first bytes of its SHA-256 in hexadecimal.
  case invalidToken(session: SessionID, token: String, why: InvalidToken)
  /// So many more invalid tokens came than are reported one by one (R16).
  case invalidTokensSuppressed(count: Int)
  /// The session has a PIN.
  case pinIssued(session: SessionID, attendee: String)
  /// Wrong digits, typed at the keypad or sent by the phone (R3).
  case wrongPIN(session: SessionID, attendee: String, attemptsLeft: Int)
  /// The confirmation on the phone did not convince (R15).
  case confirmationFailed(session: SessionID, attendee: String, attemptsLeft: Int)
  /// The attendee is in: the ledger has it, durably.
  case checkedIn(session: SessionID, attendee: String, name: String, gate: String, at: WallTime)
  /// The attempt ended without an admission. For ``Reason/internal`` the ledger has nothing of it.
  case checkInFailed(session: SessionID, attendee: String, name: String, reason: Reason)
  /// The same request came again and got its stored answer again (R18).
  case answeredAgain(session: SessionID, attendee: String, reason: Reason)
  /// The phone broke the protocol (R11).
  case protocolError(session: SessionID, fault: SessionFault)
  /// The session is over.
  case sessionEnded(session: SessionID, how: SessionEnd)

  /// The name in JSON and logs.
  public var name: String {
    switch self {
    case .initialRequest: "initial_request"
    case .invalidToken: "invalid_token"
    case .invalidTokensSuppressed: "invalid_tokens_suppressed"
    case .pinIssued: "pin_issued"
    case .wrongPIN: "wrong_pin"
    case .confirmationFailed: "confirmation_failed"
    case .checkedIn: "checked_in"
    case .checkInFailed: "check_in_failed"
    case .answeredAgain: "answered_again"
    case .protocolError: "protocol_error"
    case .sessionEnded: "session_ended"
    }
  }

  /// The session that it is about, where it is about one.
  public var session: SessionID? {
    switch self {
    case .initialRequest(let session, _, _), .invalidToken(let session, _, _), .pinIssued(let session, _),
      .wrongPIN(let session, _, _), .confirmationFailed(let session, _, _), .checkedIn(let session, _, _, _, _),
      .checkInFailed(let session, _, _, _), .answeredAgain(let session, _, _), .protocolError(let session, _),
      .sessionEnded(let session, _):
      session
    case .invalidTokensSuppressed: nil
    }
  }
}
