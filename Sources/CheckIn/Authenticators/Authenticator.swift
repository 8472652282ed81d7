public import CheckInCore

/// Where a person confirms with an authenticator.
public enum ConfirmationPlace: String, Hashable, Sendable {
  /// On the phone, which sends the check-in request by itself.
  case phone
  /// On the kiosk's keypad, where the person types the PIN.
  case keypad
}

/// What a confirmation is for. Evidence may bind to any part of it.
public struct ConfirmationContext: Hashable, Sendable {
  /// The name of the event.
  public let event: String
  /// The kiosk's name.
  public let kiosk: String
  /// The gate.
  public let gate: String
  /// The session.
  public let session: SessionID
  /// The request.
  public let request: RequestID
  /// A hash of everything that both sides have said and signed in this session so far: fresh, and the same at both ends.
  public let transcript: Digest

  /// A context.
  public init(event: String, kiosk: String, gate: String, session: SessionID, request: RequestID, transcript: Digest) {
    self.event = event
    self.kiosk = kiosk
    self.gate = gate
    self.session = session
    self.request = request
    self.transcript = transcript
  }
}

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

/// The phone's half of an authenticator: lets a person confirm, and gives evidence.
///
/// - **P1** ``name`` is constant, lower case, and the same as the verifier's.
/// - **P2** ``confirm(_:)`` ends when its task is cancelled, with ``Confirmation/cancelled``.
/// - **P3** It never throws for what a person does: every outcome is a ``Confirmation``.
public protocol AuthenticatorProver: Sendable {
  /// The authenticator's name, as the kiosk's hello lists it.
  var name: String { get }

  /// Asks the person.
  func confirm(_ context: ConfirmationContext) async -> Confirmation
}

/// The kiosk's half of an authenticator: judges evidence.
///
/// - **V1** ``name`` and ``place`` are constant.
/// - **V2** ``accepts(_:for:)`` judges by the evidence and context alone, answers in bounded time, and remembers no
///   success: the core counts, limits and consumes.
public protocol AuthenticatorVerifier: Sendable {
  /// The authenticator's name, as the hello lists it.
  var name: String { get }

  /// Where the person confirms.
  var place: ConfirmationPlace { get }

  /// Whether the evidence convinces. The message that carried it was signed by the attendee's key already.
  func accepts(_ evidence: [UInt8], for context: ConfirmationContext) async -> Bool
}
