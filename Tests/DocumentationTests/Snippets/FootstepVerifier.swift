// WritingAnAuthenticator.md: the kiosk's half.

public import CheckIn
public import CheckInCore

/// Believes the sensors that it knows.
public struct FootstepVerifier: AuthenticatorVerifier {
  /// `footstep`.
  public let name = "footstep"
  /// The phone.
  public let place = ConfirmationPlace.phone
  let sensors: Set<PublicKey>
  let cryptography: any Cryptography

  /// Whether a known sensor signed the transcript of this very session.
  public func accepts(_ evidence: [UInt8], for context: ConfirmationContext) async -> Bool {
    guard let sensor = PublicKey(algorithm: .ed25519, bytes: Array(evidence.prefix(32))), sensors.contains(sensor)
    else { return false }
    let signature = Array(evidence.dropFirst(32))
    let transcript = context.transcript.bytes
    return cryptography.verify(signature.span, of: transcript.span, by: sensor)
  }
}
