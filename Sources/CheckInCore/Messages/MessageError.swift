/// Why a message cannot be opened, or cannot be sealed. Whichever it is, the session cannot go on (R11).
public struct MessageError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Code: UInt8, Hashable, Sendable, CaseIterable {
    /// The bytes are not one COSE_Sign1 in its exact form, or the payload is not deterministic CBOR.
    case malformed
    /// The signature does not fit: the message is forged, replayed, reordered, reflected, or of another session.
    case badSignature
    /// The message has a key below zero that this version does not know: it must be understood, and is not.
    case unknownCriticalKey
    /// The message has a type below 64 that this version does not know.
    case unknownType
    /// The type is known, and has no place here: the wrong side sent it, or it is the wrong time.
    case unexpectedType
    /// A field is missing, or its value is not what version 1 allows.
    case invalidField
    /// A field is larger than version 1 allows.
    case limitExceeded
    /// Our own key could not sign.
    case signingFailed

    /// The name in logs and JSON.
    public var name: String {
      switch self {
      case .malformed: "malformed"
      case .badSignature: "bad_signature"
      case .unknownCriticalKey: "unknown_critical_key"
      case .unknownType: "unknown_type"
      case .unexpectedType: "unexpected_type"
      case .invalidField: "invalid_field"
      case .limitExceeded: "limit_exceeded"
      case .signingFailed: "signing_failed"
      }
    }
  }

  /// Which kind of failure.
  public let code: Code
  /// What happened, for people. It holds nothing of the content.
  public let message: String

  /// An error with its explanation.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension MessageError {
  init(_ error: EnvelopeError) {
    switch error {
    case .badSignature:
      self.init(
        .badSignature, "The signature of a message does not fit: it is forged, out of order, or of another session.")
    case .notAnEnvelope, .malformed, .invalid:
      self.init(.malformed, "A message is not as it must be: \(error.message).")
    }
  }

  init(_ error: SigningError) {
    self.init(.signingFailed, error.message)
  }
}
