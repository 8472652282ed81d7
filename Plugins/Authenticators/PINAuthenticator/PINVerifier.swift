public import CheckIn
public import CheckInCore

/// The kiosk's half of the authenticator `pin`: the core itself compares the digits that the person types.
public struct PINVerifier: AuthenticatorVerifier {
  /// A verifier.
  public init() {}

  /// `pin`.
  public var name: String { PINProver.name }

  /// The keypad.
  public var place: ConfirmationPlace { .keypad }

  /// Never: there is no evidence that could stand for a person at the keypad.
  public func accepts(_ evidence: [UInt8], for context: ConfirmationContext) async -> Bool { false }
}
