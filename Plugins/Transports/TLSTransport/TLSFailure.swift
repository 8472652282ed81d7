internal import COpenSSL
internal import Certificates
internal import CheckIn

/// Why TLS failed, from the library's number for it.
struct TLSFailure {
  /// The library's number.
  let library: UInt
  /// Why we refused the peer's certificate, if we did.
  let refusal: CertificateRefusal?
  let side: TLSSide

  /// The same for people, with the code that every transport has for it.
  var error: TransportError {
    if let refusal {
      return TransportError(.certificateRefused, "\(peer) was turned away: \(refusal.message)", cause: refusal)
    }
    let reason = Int(ERR_GET_REASON(library))
    if let alert = TLSAlert(reason: reason) { return alert.error(from: peer) }
    switch Int32(reason) {
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
      let refusal = CertificateRefusal(.noCertificate, "It showed no certificate.")
      return TransportError(.certificateRefused, "\(peer) was turned away: \(refusal.message)", cause: refusal)
    case SSL_R_NO_APPLICATION_PROTOCOL, SSL_R_BAD_EXTENSION: return .noCommonProtocol
    case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_NO_PROTOCOLS_AVAILABLE, SSL_R_VERSION_TOO_LOW:
      return TransportError(.malformed, "\(peer) does not speak TLS 1.3.", cause: cause)
    case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_PACKET_LENGTH_TOO_LONG, SSL_R_BAD_PACKET_LENGTH:
      return TransportError(
        .malformed, "\(peer) does not speak TLS. One of the two may use an address without tls+.", cause: cause)
    default:
      return TransportError(
        .malformed, "The TLS connection failed: \(cause?.description ?? "no reason given").", cause: cause)
    }
  }

  private var peer: String { side == .dialling ? "The listener" : "The peer" }
  private var cause: LibraryError? { LibraryError(number: library) }
}

extension TransportError {
  static let noMemoryForTLS = TransportError(.resourcesExhausted, "There is no memory for another TLS connection.")
  static let noCommonProtocol = TransportError(
    .malformed, "The peer speaks TLS and not “\(TLSTransport.applicationProtocol)” in it: it is no check-in peer.")
  static let closedHere = TransportError(.closed, "This side has closed the connection.")
  static let finishedSending = TransportError(.closed, "This side has finished sending.")
  static let endedWithoutNotice = TransportError(
    .lost, "The connection ended without the TLS notice that it would: bytes may be missing.")
}
