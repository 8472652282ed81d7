public import Certificates

/// What a container holds: somebody's private key, their certificate, and the certificates above it.
public struct Container: Sendable {
  /// The private key.
  public let key: PrivateKey
  /// The certificate of that key.
  public let certificate: Certificate
  /// The other certificates: the certificate's issuer first, then that one's, and at last what belongs to neither.
  public let chain: [Certificate]

  /// A container. That key and certificate belong together is checked when it is written.
  public init(key: PrivateKey, certificate: Certificate, chain: [Certificate]) {
    self.key = key
    self.certificate = certificate
    self.chain = chain
  }
}
