public import CheckInCore

/// Says whose a token is.
///
/// - **K1** ``judge(_:)`` answers for any bytes at all, in bounded time, and takes no longer for one invalid token than
///   for another in a way that helps to guess (R16).
/// - **K2** It judges the token, not the time nor the gate: the session does that by the holder.
public protocol TokenVerifier: Sendable {
  /// Judges a token as it came from a phone.
  func judge(_ token: [UInt8]) async -> TokenVerdict
}

/// Asks several verifiers in turn: the first that knows the token has the word.
public struct TokenVerifierChain: TokenVerifier {
  private let verifiers: [any TokenVerifier]

  /// A chain. With several that do not know a token, the last one's reason is kept, unless an earlier one said more
  /// than ``/CheckInCore/InvalidToken/unknown``.
  public init(_ verifiers: [any TokenVerifier]) {
    self.verifiers = verifiers
  }

  /// Judges a token as it came from a phone.
  public func judge(_ token: [UInt8]) async -> TokenVerdict {
    var reason = InvalidToken.unknown
    for verifier in verifiers {
      switch await verifier.judge(token) {
      case .invalid(let why):
        if why != .unknown { reason = why }
      case let known:
        return known
      }
    }
    return .invalid(reason)
  }
}
