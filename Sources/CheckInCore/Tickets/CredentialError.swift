/// Why bytes are not a credential of the issuer's, or why one cannot be made.
public enum CredentialError: Error, Hashable, Sendable {
  /// They do not even begin like one.
  case notACredential
  /// They begin like one and cannot be decoded, or the claims are not what version 1 wants; with what is wrong.
  case malformed(String)
  /// The issuer's signature is not on them.
  case forged
  /// A claim that should be signed is larger than allowed, or empty where it must not be.
  case limitExceeded
  /// The issuer's key could not sign; with its explanation.
  case signingFailed(String)

  /// What is wrong, for people.
  public var message: String {
    switch self {
    case .notACredential: "This is not a ticket."
    case .malformed(let what): "The ticket is damaged: \(what)."
    case .forged: "The ticket is not signed by this issuer."
    case .limitExceeded: "A part of the ticket is empty or larger than allowed."
    case .signingFailed(let why): why
    }
  }
}
