public import CheckIn
public import CheckInCore

/// The phone's half of the authenticator `pin`: the phone shows the PIN, and the person types it on the kiosk's keypad.
public struct PINProver: AuthenticatorProver {
  /// The name of both halves.
  public static let name = "pin"

  /// A prover.
  public init() {}

  /// `pin`.
  public var name: String { PINProver.name }

  /// Answers at once: the keypad is the way this authenticator works.
  public func confirm(_ context: ConfirmationContext) async -> Confirmation {
    Task.isCancelled ? .cancelled : .useKeypad(.chosen)
  }
}
