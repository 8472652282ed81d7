internal import CheckInCore

/// What the mock gives as evidence: a label and the transcript of this very session, so that what was recorded
/// elsewhere convinces nobody. It proves no biometrics: the signature around it is what the kiosk believes.
enum MockEvidence {
  static let name = "mock-biometric"

  static func bytes(for context: ConfirmationContext) -> [UInt8] {
    Array("mock-biometric/1".utf8) + context.transcript.bytes
  }
}
