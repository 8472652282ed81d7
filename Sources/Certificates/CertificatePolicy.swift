internal import CheckInCore

/// Whom one side of a connection trusts: the certificates of one role, or of some, for one event, that its issuer signed.
///
/// A value that changes nothing and waits for nothing; any number of tasks may judge with it at once.
public struct CertificatePolicy: Sendable {
  /// The issuers whose certificates are accepted.
  public let issuers: [Certificate]
  /// The event whose certificates are accepted.
  public let event: String
  /// The role that the peer must have; where there are several, the first of them.
  public let role: CertificateRole
  /// The other roles that it may have.
  public let otherRoles: [CertificateRole]
  private let revokedSerials: Set<[UInt8]>
  private let revokedIDs: Set<String>
  private let now: @Sendable () -> Int64

  /// How many certificates a peer may present. Its own and its issuer's are two; more than these are of no use, and the
  /// bound keeps a peer from making us work.
  public static let mostCertificates = 4

  /// A policy.
  ///
  /// - Parameters:
  ///   - issuers: whom to trust. Not one of them is trusted for anything but what this policy says.
  ///   - event: the event's identifier.
  ///   - role: the role that the peer must have.
  ///   - otherRoles: other roles that will do. Whoever accepts several asks each peer's certificate which it has.
  ///   - revokedSerials: certificates that the organizer took back, by their serials; leading zeros do not matter.
  ///   - revokedIDs: holders whose every certificate the organizer took back, by their identifiers, as in `revoked.csv`.
  ///   - now: asked once in each judgement; answers seconds since 1970-01-01T00:00:00Z.
  public init(
    issuers: [Certificate], event: String, role: CertificateRole, otherRoles: [CertificateRole] = [],
    revokedSerials: Set<[UInt8]> = [],
    revokedIDs: Set<String> = [], now: @escaping @Sendable () -> Int64
  ) {
    self.issuers = issuers
    self.event = event
    self.role = role
    self.otherRoles = otherRoles
    self.revokedSerials = Set(revokedSerials.map { Array($0.drop { $0 == 0 }) })
    self.revokedIDs = revokedIDs
    self.now = now
  }

  /// Judges what a peer presented, its own certificate first: the peer's certificate, or why it is refused (R23).
  ///
  /// A certificate whose extensions cannot be read is refused first. Then OpenSSL verifies the path to an issuer (RFC 5280
  /// §6, strictly), without intermediates. Then come the rules of the protocol, in this order: names, CA flag, keys, role,
  /// event, usage, revocation, time. The first that fails is the refusal, so what a stranger wrote into a certificate of
  /// another issuer is not believed for that either.
  ///
  /// Times have the leeway of five minutes that all clocks have (R21), at both ends, for the peer's certificate and its
  /// issuer's: the organizer's clock and ours may differ. Nothing else has a leeway.
  public func judge(_ chain: [Certificate]) -> Result<Certificate, CertificateRefusal> {
    guard let leaf = chain.first else {
      return .failure(CertificateRefusal(.noCertificate, "The other side presented no certificate."))
    }
    guard chain.count <= CertificatePolicy.mostCertificates else {
      return .failure(
        CertificateRefusal(
          .chainTooLong,
          "The other side presented \(chain.count) certificates, and \(CertificatePolicy.mostCertificates) are the limit."
        ))
    }
    guard leaf.extensionsAreWellFormed else {
      return .failure(
        CertificateRefusal(
          .damaged, "The certificate of “\(leaf.shownName)” has an extension that is damaged or there twice."))
    }
    switch CertificatePath.verify(leaf, others: Array(chain.dropFirst()), issuers: issuers) {
    case .failure(let refusal): return .failure(refusal)
    case .success(let issuer):
      let refusal = usageRefusal(leaf, issuer) ?? holderRefusal(leaf, issuer) ?? timeRefusal(leaf, issuer)
      return refusal.map(Result.failure) ?? .success(leaf)
    }
  }

  /// What the certificates are made of.
  private func usageRefusal(_ leaf: Certificate, _ issuer: Certificate) -> CertificateRefusal? {
    guard leaf.namesAreWellFormed else {
      return CertificateRefusal(
        .nameMalformed,
        "The certificate of “\(leaf.shownName)” has a name or identity in it that cannot be read safely.")
    }
    guard !leaf.isAuthority else {
      return CertificateRefusal(
        .authorityWhereNoneMayBe,
        "The certificate of “\(leaf.shownName)” may issue others. A kiosk's or an attendee's must not.")
    }
    for certificate in [leaf, issuer] where certificate.publicKey == nil {
      return CertificateRefusal(
        .weakKey,
        "The key of “\(certificate.shownName)” is of a kind that is not used here. It must be Ed25519 or P-256.")
    }
    return nil
  }

  /// Whose the certificate is, and whether it was taken back.
  private func holderRefusal(_ leaf: Certificate, _ issuer: Certificate) -> CertificateRefusal? {
    guard let leafRole = leaf.role, let leafEvent = leaf.event else {
      return CertificateRefusal(
        .wrongRole, "The certificate of “\(leaf.shownName)” does not say which role it is for, and for which event.")
    }
    guard leafRole == role || otherRoles.contains(leafRole) else {
      let accepted = ([role] + otherRoles).map(\.ownerText).joined(separator: " or ")
      return CertificateRefusal(
        .wrongRole,
        "The certificate of “\(leaf.shownName)” is \(leafRole.ownerText), and here only \(accepted) is accepted.")
    }
    // An issuer that names no event is trusted because the policy lists it.
    for named in [leafEvent, issuer.event ?? event] where named != event {
      return CertificateRefusal(
        .wrongEvent,
        "The certificate of “\(leaf.shownName)” is for the event “\(named)”, and here it is “\(event)”.")
    }
    guard CertificatePath.allowsUse(leaf, as: leafRole) else {
      return CertificateRefusal(
        .notForThisUse,
        "The certificate of “\(leaf.shownName)” is \(leafRole.ownerText) by name, and its key usage does not allow that."
      )
    }
    guard !revokedSerials.contains(leaf.serial), leaf.id.map(revokedIDs.contains) != true else {
      return CertificateRefusal(
        .revoked,
        "The certificate of “\(leaf.shownName)”, serial \(hexadecimal(leaf.serial)), was taken back by the organizer.")
    }
    return nil
  }

  private func timeRefusal(_ leaf: Certificate, _ issuer: Certificate) -> CertificateRefusal? {
    let now = now()
    for (certificate, whose) in [(leaf, "certificate"), (issuer, "issuer's certificate")] {
      switch certificate.standing(at: now) {
      case .valid: continue
      case .notYetValid(let seconds):
        return CertificateRefusal(
          .notYetValid,
          "The \(whose) of “\(certificate.shownName)” is not valid before \(durationText(seconds)) from now. Are the clocks right?"
        )
      case .expired(let seconds):
        return CertificateRefusal(
          .expired, "The \(whose) of “\(certificate.shownName)” expired \(durationText(seconds)) ago.")
      }
    }
    return nil
  }
}

extension CertificateRole {
  /// Whose a certificate of this role is, in words.
  fileprivate var ownerText: String {
    switch self {
    case .issuer: "an issuer's"
    case .kiosk: "a kiosk's"
    case .attendee: "an attendee's"
    case .enrollment: "an enrollment server's"
    case .installation: "an installation's"
    }
  }
}
