public import Certificates

/// What one side proves itself with, and whom it believes.
public struct TLSCredentials: Sendable {
  /// Our private key.
  public var key: PrivateKey
  /// Our certificate, and after it those between it and the issuer, if there are any.
  public var chain: [Certificate]
  /// Whom we believe: issuer, event and role of the peer.
  public var policy: CertificatePolicy

  /// Credentials.
  ///
  /// - Precondition: `chain` is not empty.
  public init(key: PrivateKey, chain: [Certificate], policy: CertificatePolicy) {
    precondition(!chain.isEmpty, "a side without a certificate proves nothing")
    self.key = key
    self.chain = chain
    self.policy = policy
  }
}

/// The two sides of a connection.
enum TLSSide: Hashable, Sendable {
  case dialling
  case listening
}
