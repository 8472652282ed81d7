internal import CheckInCore

/// A sensor for footsteps, played by a test.
struct FootstepSensor: Sendable {
  /// What came of asking a person.
  enum Answer: Sendable {
    case recognised(any SigningKey)
    case declined, notRecognised, noSensor, cancelled
  }

  /// What the person will say. It gets the question.
  let person: @Sendable (String) async -> Answer

  func ask(_ question: String) async -> Answer {
    await person(question)
  }
}

/// A key in a chip that has burnt.
struct BurntKey: SigningKey {
  let publicKey: PublicKey

  func sign(_ message: Span<UInt8>) throws(SigningError) -> [UInt8] {
    throw SigningError("The chip does not answer.")
  }
}
