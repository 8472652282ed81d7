// WritingAnAuthenticator.md: the phone's half.

public import CheckIn
public import CheckInCore

/// Knows people by how they walk.
public struct FootstepProver: AuthenticatorProver {
  /// `footstep`.
  public let name = "footstep"
  let sensor: FootstepSensor

  /// Lets the sensor ask the person, and signs the transcript with the sensor's key.
  public func confirm(_ context: ConfirmationContext) async -> Confirmation {
    switch await sensor.ask("Check in at \(context.kiosk), \(context.event)?") {
    case .recognised(let key):
      let transcript = context.transcript.bytes
      guard let signature = try? key.sign(transcript.span) else { return .useKeypad(.failed) }
      return .confirmed(evidence: key.publicKey.bytes + signature)
    case .declined: return .useKeypad(.declined)
    case .notRecognised: return .useKeypad(.failed)
    case .noSensor: return .useKeypad(.unavailable)
    case .cancelled: return .cancelled
    }
  }
}
