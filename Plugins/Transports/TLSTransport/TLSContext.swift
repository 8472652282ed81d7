internal import COpenSSL
internal import Certificates

/// The library's settings for one side: our certificate, the protocol, and how the peer is judged.
///
/// SAFETY: the pointer is set once and nothing changes the settings after `init`. The library allows any number of
/// threads to begin connections with one context at once.
@safe final class TLSContext: @unchecked Sendable {
  let side: TLSSide
  /// Judges what a peer presented.
  let judge: @Sendable ([Certificate]) -> Result<Certificate, CertificateRefusal>
  let pointer: OpaquePointer
  /// `checkin/1` with its length before it, as the library and the wire have it.
  static let protocolList =
    [UInt8(TLSTransport.applicationProtocol.utf8.count)]
    + Array(TLSTransport.applicationProtocol.utf8)

  /// - Throws: ``/Certificates/CertificateError`` when key and certificate do not belong together.
  init(_ credentials: TLSCredentials, side: TLSSide, judge: @escaping TLSTransport.Judge) throws(CertificateError) {
    self.side = side
    let policy = credentials.policy
    self.judge = { judge($0, policy) }
    let method = unsafe side == .dialling ? TLS_client_method() : TLS_server_method()
    guard let context = unsafe SSL_CTX_new(method) else {
      throw CertificateError(.library, "TLS cannot be set up: the library has no memory for it.")
    }
    unsafe pointer = context
    try useCertificate(credentials)
    restrictProtocol()
    judgePeers()
  }

  deinit {
    unsafe SSL_CTX_free(pointer)
  }

  private func useCertificate(_ credentials: TLSCredentials) throws(CertificateError) {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard unsafe SSL_CTX_use_certificate(pointer, credentials.chain[0].pointer) == 1,
      unsafe SSL_CTX_use_PrivateKey(pointer, credentials.key.pointer) == 1,
      unsafe SSL_CTX_check_private_key(pointer) == 1
    else {
      throw CertificateError(
        .mismatch, "The key and the certificate of “\(credentials.chain[0].name)” do not belong together.")
    }
    for certificate in credentials.chain.dropFirst() {
      // SSL_CTX_add1_chain_cert, a macro that the importer does not see; it takes a reference of its own.
      _ = unsafe SSL_CTX_ctrl(
        pointer, Int32(SSL_CTRL_CHAIN_CERT), 1, UnsafeMutableRawPointer(certificate.pointer))
    }
  }

  private func restrictProtocol() {
    // The macros SSL_CTX_set_min_proto_version and …_max_…
    _ = unsafe SSL_CTX_ctrl(pointer, Int32(SSL_CTRL_SET_MIN_PROTO_VERSION), Int(TLS1_3_VERSION), nil)
    _ = unsafe SSL_CTX_ctrl(pointer, Int32(SSL_CTRL_SET_MAX_PROTO_VERSION), Int(TLS1_3_VERSION), nil)
    // No resumption: what is judged is judged at each connection. One ticket is sent all the same, as the sign that the
    // peer was accepted; with neither a cache nor a ticket key nobody can come back with it.
    _ = unsafe SSL_CTX_ctrl(pointer, Int32(SSL_CTRL_SET_SESS_CACHE_MODE), Int(SSL_SESS_CACHE_OFF), nil)
    // SSL_OP_NO_TICKET, SSL_OP_NO_COMPRESSION and SSL_OP_NO_RENEGOTIATION, which are macros with a shift.
    _ = unsafe SSL_CTX_set_options(pointer, UInt64(1) << 14 | UInt64(1) << 17 | UInt64(1) << 30)
    _ = unsafe SSL_CTX_set_num_tickets(pointer, 1)
    // An idle connection gives its buffers back.
    _ = unsafe SSL_CTX_ctrl(pointer, Int32(SSL_CTRL_MODE), Int(SSL_MODE_RELEASE_BUFFERS), nil)
    switch side {
    case .dialling:
      // Unsafe: the library copies the list during the call.
      _ = unsafe SSL_CTX_set_alpn_protos(pointer, Self.protocolList, UInt32(Self.protocolList.count))
    case .listening:
      unsafe SSL_CTX_set_alpn_select_cb(pointer, chooseProtocol, nil)
    }
  }

  private func judgePeers() {
    unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
    unsafe SSL_CTX_set_cert_verify_callback(pointer, judgePeer, nil)
  }
}

/// Takes `checkin/1` where the peer offers it, and else ends the handshake with no_application_protocol (RFC 7301 §3.2).
private func chooseProtocol(
  _: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ length: UnsafeMutablePointer<UInt8>?,
  _ offered: UnsafePointer<UInt8>?, _ count: UInt32, _: UnsafeMutableRawPointer?
) -> Int32 {
  guard let offered = unsafe offered, let chosen = unsafe chosen, let length = unsafe length else {
    return SSL_TLSEXT_ERR_ALERT_FATAL
  }
  // Unsafe: the list is the library's for the time of the call, and what is chosen points into it, as it asks.
  let list = unsafe UnsafeBufferPointer(start: offered, count: Int(count))
  let ours = TLSContext.protocolList
  var start = 0
  while start < list.count {
    let size = Int(unsafe list[start]) + 1
    guard start + size <= list.count else { break }
    if unsafe list[start..<start + size].elementsEqual(ours) {
      unsafe chosen.pointee = offered + start + 1
      unsafe length.pointee = UInt8(size - 1)
      return SSL_TLSEXT_ERR_OK
    }
    start += size
  }
  return SSL_TLSEXT_ERR_ALERT_FATAL
}
