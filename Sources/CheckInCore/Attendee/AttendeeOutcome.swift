/// How an attempt ended for the phone.
public enum AttendeeOutcome: Hashable, Sendable {
  /// The kiosk answered: true or false, with a reason.
  case answered(Answer)
  /// The kiosk did not answer. After ``NoAnswer/isRetryable`` the same request may be made again on a new connection (R18).
  case noAnswer(NoAnswer)
  /// The phone did not send its token: this is not a kiosk to give it to (R8).
  case refusedKiosk(KioskRefusal)
  /// The kiosk broke the protocol; nothing that it said counts (R11, R17).
  case protocolError(SessionFault)
  /// The person or the program gave up, and the kiosk's answer to that did not come.
  case cancelled
  /// The phone's own key would not sign.
  case failed

  /// Whether the attendee is in.
  public var isSuccess: Bool {
    if case .answered(let answer) = self { answer.isSuccess } else { false }
  }

  /// Whether the same request may be made again on a new connection: the kiosk gave no answer, or one that it does not
  /// store (``Reason/busy``, ``Reason/internal``).
  public var isRetryable: Bool {
    switch self {
    case .answered(let answer): answer.reason == .busy || answer.reason == .internal
    case .noAnswer(let why): why.isRetryable
    case .refusedKiosk, .protocolError, .cancelled, .failed: false
    }
  }
}

/// What happened in place of an answer.
public enum NoAnswer: String, Hashable, Sendable, CaseIterable {
  /// No hello came in time.
  case noHello = "no_hello"
  /// The kiosk kept silent after the initial request: so it does with a token that it does not know (R16).
  case silence
  /// No answer came to a confirmation in time.
  case timedOut = "timed_out"
  /// The person did not confirm in time.
  case personTimedOut = "person_timed_out"
  /// The kiosk ended the session before its answer.
  case peerFinished = "peer_finished"
  /// The connection broke.
  case peerLost = "peer_lost"
  /// The kiosk was reached, and when the same request was to be made again, it was not. A session never ends so; what
  /// connects says it.
  case unreachable

  /// Whether to try again with the same request identifier makes sense.
  public var isRetryable: Bool {
    switch self {
    case .noHello, .timedOut, .peerFinished, .peerLost, .unreachable: true
    case .silence, .personTimedOut: false
    }
  }

  /// One sentence for people.
  public var text: String {
    switch self {
    case .noHello:
      "The kiosk did not say hello. Is this the address that it shows, with tls+ in front where that has it?"
    case .silence: "The kiosk did not answer. Is this ticket for this event?"
    case .timedOut: "The kiosk did not answer in time. Please try again."
    case .personTimedOut: "Nobody confirmed in time. Please begin again."
    case .peerFinished: "The kiosk ended the session without an answer. Please try again."
    case .peerLost: "The connection to the kiosk was lost. Please try again."
    case .unreachable: "The kiosk could not be reached again."
    }
  }
}

/// Why a kiosk does not get the token (R8).
public enum KioskRefusal: String, Error, Hashable, Sendable, CaseIterable {
  /// Its credential cannot be read.
  case malformedCredential = "malformed_credential"
  /// Its credential is not signed by the issuer.
  case wrongIssuer = "wrong_issuer"
  /// Its credential is for another role than a kiosk's.
  case wrongRole = "wrong_role"
  /// Its credential is for another event.
  case wrongEvent = "wrong_event"
  /// Its credential does not name the gate that it claims.
  case wrongGate = "wrong_gate"
  /// Its credential's validity has not begun.
  case notYetValid = "not_yet_valid"
  /// Its credential's validity is over.
  case expired
  /// The hello is not signed by the key that the credential names.
  case badSignature = "bad_signature"
  /// The kiosk accepts no way to confirm that this phone has (R14).
  case noCommonAuthenticator = "no_common_authenticator"

  /// One sentence for people.
  public var text: String {
    switch self {
    case .malformedCredential: "What answered could not show that it is a kiosk."
    case .wrongIssuer: "This kiosk does not belong to the organizer of your event."
    case .wrongRole: "What answered is not a kiosk."
    case .wrongEvent: "This kiosk is for another event."
    case .wrongGate: "This kiosk claims a gate that is not its own."
    case .notYetValid: "This kiosk may not serve yet. Is your phone's clock right?"
    case .expired: "This kiosk may not serve any more. Is your phone's clock right?"
    case .badSignature: "What answered showed a kiosk's papers and could not prove that they are its own."
    case .noCommonAuthenticator: "This kiosk accepts no way to confirm that this phone has."
    }
  }
}
