internal import COpenSSL
internal import Certificates
internal import CheckIn
internal import Synchronization

/// What one connection thinks of its peer's certificate.
final class PeerJudgement: Sendable {
  private let verdict: @Sendable ([Certificate]) -> Result<Certificate, CertificateRefusal>
  private let outcome = Mutex<CertificateRefusal?>(nil)

  init(_ verdict: @escaping @Sendable ([Certificate]) -> Result<Certificate, CertificateRefusal>) {
    self.verdict = verdict
  }

  /// Why the peer's certificate was refused; nil while it was not.
  var refusal: CertificateRefusal? { outcome.withLock { $0 } }

  /// Judges the chain, leaf first, and answers the library's number of what is wrong with it, which chooses the alert.
  func judge(_ chain: [Certificate]) -> Int32 {
    guard case .failure(let refusal) = verdict(chain) else { return X509_V_OK }
    outcome.withLock { $0 = refusal }
    return refusal.libraryNumber
  }

  /// Notes that the peer showed something that is no certificate.
  func refuseUnreadable() -> Int32 {
    let refusal = CertificateRefusal(.damaged, "The peer's certificate cannot be read.")
    outcome.withLock { $0 = refusal }
    return refusal.libraryNumber
  }
}

extension CertificateRefusal {
  /// The library's number for it, from which follows the alert that the peer gets (RFC 8446 §6.2).
  fileprivate var libraryNumber: Int32 {
    switch code {
    case .expired: X509_V_ERR_CERT_HAS_EXPIRED
    case .notYetValid: X509_V_ERR_CERT_NOT_YET_VALID
    case .revoked: X509_V_ERR_CERT_REVOKED
    case .otherIssuer, .selfSigned, .chainTooLong: X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
    case .damaged: X509_V_ERR_CERT_REJECTED
    default: X509_V_ERR_INVALID_PURPOSE
    }
  }
}

/// The library asks whether the peer's certificate will do; this takes the place of all that it would do itself.
func judgePeer(_ store: OpaquePointer?, _: UnsafeMutableRawPointer?) -> Int32 {
  // Unsafe: during the call the library keeps the store and what is in it; the connection's object is kept by its engine.
  guard let store = unsafe store,
    let ssl = unsafe X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
    let object = unsafe SSL_get_ex_data(OpaquePointer(ssl), 0)
  else { return 0 }
  let judgement = unsafe Unmanaged<PeerJudgement>.fromOpaque(object).takeUnretainedValue()
  let number = unsafe chain(in: store).map(judgement.judge) ?? judgement.refuseUnreadable()
  unsafe X509_STORE_CTX_set_error(store, number)
  return number == X509_V_OK ? 1 : 0
}

/// The peer's certificates, leaf first; nil when one cannot be read.
private func chain(in store: OpaquePointer) -> [Certificate]? {
  // Unsafe: as above; each certificate is copied.
  guard let leaf = unsafe X509_STORE_CTX_get0_cert(store), let first = unsafe copy(of: leaf) else { return nil }
  var chain = [first]
  let others = unsafe X509_STORE_CTX_get0_untrusted(store)
  for index in 0..<max(0, unsafe OPENSSL_sk_num(others)) {
    guard let other = unsafe OPENSSL_sk_value(others, index) else { return nil }
    guard let certificate = unsafe copy(of: OpaquePointer(other)) else { return nil }
    if certificate != first { chain.append(certificate) }
  }
  return chain
}

private func copy(of pointer: OpaquePointer) -> Certificate? {
  var der: UnsafeMutablePointer<UInt8>?
  // Unsafe: the library makes the buffer, which is ours to free.
  let count = unsafe i2d_X509(pointer, &der)
  guard count > 0, let bytes = unsafe der else { return nil }
  defer { unsafe CRYPTO_free(bytes, nil, 0) }
  return try? Certificate(der: unsafe UnsafeBufferPointer(start: bytes, count: Int(count)).span)
}
