public import CheckInCore

/// The phone's half of an authenticator: lets a person confirm, and gives evidence.
///
/// - **P1** ``name`` is constant, lower case, and the same as the verifier's.
/// - **P2** ``confirm(_:)`` ends when its task is cancelled, with ``/CheckInCore/Confirmation/cancelled``.
/// - **P3** It never throws for what a person does: every outcome is a ``/CheckInCore/Confirmation``.
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
