/// What an attendee's session tells its observer. Never a PIN, a token or a key.
public enum AttendeeEvent: Hashable, Sendable {
  /// The kiosk has proved who it is.
  case kiosk(KioskIdentity)
  /// The initial request was sent.
  case initialRequest(request: RequestID)
  /// A PIN came.
  case pinReceived(attemptsLeft: Int)
  /// The person confirmed on the phone, and the kiosk was told.
  case confirmed(authenticator: String)
  /// The PIN was shown for the kiosk's keypad.
  case keypad(Confirmation.KeypadCause?)
  /// The kiosk said how things stand.
  case notice(Message.Notice)
  /// The kiosk answered.
  case result(Answer)
  /// The kiosk did not answer.
  case noAnswer(NoAnswer)
  /// The token was not sent, and why.
  case kioskRefused(KioskRefusal)
  /// The kiosk broke the protocol (R11).
  case protocolError(SessionFault)
  /// The session is over.
  case sessionEnded(how: SessionEnd)

  /// The name in JSON and logs.
  public var name: String {
    switch self {
    case .kiosk: "kiosk"
    case .initialRequest: "initial_request"
    case .pinReceived: "pin_received"
    case .confirmed: "confirmed"
    case .keypad: "keypad"
    case .notice: "notice"
    case .result: "result"
    case .noAnswer: "no_answer"
    case .kioskRefused: "kiosk_refused"
    case .protocolError: "protocol_error"
    case .sessionEnded: "session_ended"
    }
  }
}
