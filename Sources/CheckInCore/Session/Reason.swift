/// Why a check-in ended as it did. Stable: the number is on the wire and in ledgers, the name in JSON and logs.
///
/// An attempt with a token that is *invalid* (unknown, forged, not decodable) has no reason: it gets no answer.
public enum Reason: UInt8, Sendable, Hashable, CaseIterable {
  /// The attendee is in.
  case admitted = 0
  /// The attendee entered before; the answer says when and at which gate.
  case alreadyAdmitted = 1
  /// The digits were not the session's PIN; the answer says how many attempts are left.
  case wrongPIN = 2
  /// The PIN's 120 seconds were over.
  case pinExpired = 3
  /// Three wrong PINs, or too many failures lately; the answer says how long to wait.
  case tooManyAttempts = 4
  /// The ticket's validity has not begun.
  case notYetValid = 5
  /// The ticket's validity is over.
  case expired = 6
  /// The organizer took the ticket back.
  case revoked = 7
  /// The ticket is not for this gate.
  case wrongGate = 8
  /// The ticket is for another event of the same organizer.
  case wrongEvent = 9
  /// The clocks of phone and kiosk, or of issuer and kiosk, differ by more than five minutes.
  case clockSkew = 10
  /// The kiosk serves as many sessions as it can; try again soon.
  case busy = 11
  /// The person, or the kiosk when it stops, ended the attempt.
  case cancelled = 12
  /// The kiosk could not do its work, for instance write its ledger.
  case `internal` = 13
  /// The phone confirmed by a way that this kiosk does not accept (R14).
  case authenticatorNotAccepted = 14
  /// The confirmation did not convince the kiosk; the keypad remains (R15).
  case confirmationFailed = 15
  /// The same ticket began another session, which replaced this one (R6).
  case superseded = 16

  /// The name in JSON, logs and documentation.
  public var name: String {
    switch self {
    case .admitted: "admitted"
    case .alreadyAdmitted: "already_admitted"
    case .wrongPIN: "wrong_pin"
    case .pinExpired: "pin_expired"
    case .tooManyAttempts: "too_many_attempts"
    case .notYetValid: "not_yet_valid"
    case .expired: "expired"
    case .revoked: "revoked"
    case .wrongGate: "wrong_gate"
    case .wrongEvent: "wrong_event"
    case .clockSkew: "clock_skew"
    case .busy: "busy"
    case .cancelled: "cancelled"
    case .internal: "internal"
    case .authenticatorNotAccepted: "authenticator_not_accepted"
    case .confirmationFailed: "confirmation_failed"
    case .superseded: "superseded"
    }
  }

  /// One short sentence for people.
  public var text: String {
    switch self {
    case .admitted: "You are checked in."
    case .alreadyAdmitted: "You are already checked in."
    case .wrongPIN: "That PIN is not right."
    case .pinExpired: "The PIN has expired."
    case .tooManyAttempts: "Too many attempts. Please wait a little."
    case .notYetValid: "This ticket is not valid yet."
    case .expired: "This ticket is no longer valid."
    case .revoked: "This ticket was taken back by the organizer."
    case .wrongGate: "This ticket is for another gate."
    case .wrongEvent: "This ticket is for another event."
    case .clockSkew: "The clocks differ too much. Please set the time."
    case .busy: "The kiosk is busy. Please try again."
    case .cancelled: "The check-in was cancelled."
    case .internal: "The kiosk has a problem. Please ask the staff."
    case .authenticatorNotAccepted: "This kiosk does not accept that way to confirm."
    case .confirmationFailed: "The confirmation was not accepted."
    case .superseded: "Another check-in with this ticket began."
    }
  }
}
