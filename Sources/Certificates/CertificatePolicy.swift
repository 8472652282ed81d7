/// Whom one side of a connection trusts.
public struct CertificatePolicy: Sendable {
  /// The issuers whose certificates are accepted.
  public let issuers: [Certificate]
  /// The event whose certificates are accepted.
  public let event: String
  /// The role that the peer must have.
  public let role: CertificateRole
  private let revokedSerials: Set<[UInt8]>
  private let now: @Sendable () -> Int64

  /// A policy. `now` is asked at each judgement and answers seconds since 1970-01-01T00:00:00Z.
  public init(
    issuers: [Certificate], event: String, role: CertificateRole, revokedSerials: Set<[UInt8]> = [],
    now: @escaping @Sendable () -> Int64
  ) {
    self.issuers = issuers
    self.event = event
    self.role = role
    self.revokedSerials = revokedSerials
    self.now = now
  }

  /// Judges what a peer presented, its own certificate first: the peer's certificate, or why it is refused.
  public func judge(_ chain: [Certificate]) -> Result<Certificate, CertificateRefusal> {
    .failure(CertificateRefusal(.damaged, "skeleton"))
  }
}
