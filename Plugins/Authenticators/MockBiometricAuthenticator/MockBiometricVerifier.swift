public import CheckIn
public import CheckInCore

/// The kiosk's half of the authenticator `mock-biometric`.
public struct MockBiometricVerifier: AuthenticatorVerifier {
  /// A verifier.
  public init() {}

  /// `mock-biometric`.
  public var name: String { MockEvidence.name }

  /// The phone.
  public var place: ConfirmationPlace { .phone }

  /// Whether the evidence is the mock's for exactly this context: for another session's it is not.
  public func accepts(_ evidence: [UInt8], for context: ConfirmationContext) async -> Bool {
    SecretBytes(evidence).matches(SecretBytes(MockEvidence.bytes(for: context)))
  }
}
