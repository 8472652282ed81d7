extension SessionFault {
  /// What a message that could not be opened says of the peer; nil when the error is our own.
  package init?(_ error: MessageError) {
    switch error.code {
    case .malformed, .invalidField, .limitExceeded, .unknownCriticalKey: self = .malformed
    case .badSignature: self = .notAuthentic
    case .unknownType: self = .unknownType
    case .unexpectedType: self = .unexpectedMessage
    case .signingFailed: return nil
    }
  }
}
