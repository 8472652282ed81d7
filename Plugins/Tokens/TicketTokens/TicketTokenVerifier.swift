public import CheckIn
public import CheckInCore
internal import Synchronization

/// Judges tickets that an issuer signed, without asking anyone: the ticket says whose it is, the signature says that it is so.
///
/// A token is
/// - invalid and ``InvalidToken/unknown`` when it is no ticket at all, so that another verifier may know it;
/// - invalid and ``InvalidToken/malformed`` when it begins like one and cannot be decoded, or is larger than a message allows;
/// - invalid and ``InvalidToken/forged`` when the issuer did not sign it;
/// - invalid and ``InvalidToken/wrongRole`` when it is the credential of a kiosk;
/// - refused with ``Reason/wrongEvent`` when it is for another event of the same issuer;
/// - refused with ``Reason/revoked`` when the organizer took it back, or its attendee;
/// - valid otherwise. Times and gates are the session's to judge.
public final class TicketTokenVerifier: TokenVerifier {
  private let issuer: PublicKey
  private let event: String
  private let cryptography: any Cryptography
  private let revocations: Mutex<Revocations>

  /// A verifier.
  ///
  /// - Parameters:
  ///   - issuer: the key that signs the tickets.
  ///   - event: the identifier of the event that the kiosk serves.
  ///   - revocations: what was taken back so far; ``replaceRevocations(with:)`` changes it later.
  public init(
    issuer: PublicKey, event: String, cryptography: any Cryptography, revocations: Revocations = Revocations()
  ) {
    self.issuer = issuer
    self.event = event
    self.cryptography = cryptography
    self.revocations = Mutex(revocations)
  }

  /// Takes a new list of what was taken back. Tokens that are judged from now on are judged by it.
  public func replaceRevocations(with revocations: Revocations) {
    self.revocations.withLock { $0 = revocations }
  }

  /// Judges a token as it came from a phone.
  public func judge(_ token: [UInt8]) async -> TokenVerdict {
    let ticket: Credential
    do throws(CredentialError) {
      ticket = try Credential(token, issuedBy: issuer, cryptography: cryptography)
    } catch {
      switch error {
      case .notACredential: return .invalid(.unknown)
      case .forged: return .invalid(.forged)
      case .malformed, .limitExceeded, .signingFailed: return .invalid(.malformed)
      }
    }
    guard ticket.role == .attendee else { return .invalid(.wrongRole) }
    guard ticket.event == event else { return .refused(.wrongEvent, ticket.holder) }
    guard !revocations.withLock({ $0.contains(ticket) }) else { return .refused(.revoked, ticket.holder) }
    return .valid(ticket.holder)
  }
}
