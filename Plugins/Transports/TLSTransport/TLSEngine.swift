internal import COpenSSL
internal import Certificates
internal import CheckIn
internal import CheckInCore

/// One side of one TLS connection without any input or output of its own: what arrived is lent to it, what is to leave is
/// taken out. It belongs to one task at a time.
///
/// SAFETY: the pointers are set once; the connection owns its buffers and is freed with this object, which is not
/// `Sendable`, so that no two threads are in it at once.
@safe final class TLSEngine {
  /// What ``read(into:)`` found.
  enum Reading: Hashable, Sendable {
    /// So many bytes were added.
    case bytes(Int)
    /// The peer has said that it sends no more (close_notify).
    case finished
    /// Nothing more before further bytes arrive.
    case needsMore
  }

  /// The most that is read at once.
  static let mostRead = 65_536

  let side: TLSSide
  let judgement: PeerJudgement
  private let context: TLSContext
  private let ssl: OpaquePointer
  /// What the connection reads from while nothing is lent to it: an empty buffer.
  private let nothing: OpaquePointer
  private let leaving: OpaquePointer

  /// - Throws: ``/CheckIn/TransportError/Code/resourcesExhausted`` when there is no memory.
  init(_ context: TLSContext) throws(TransportError) {
    self.context = context
    side = context.side
    judgement = PeerJudgement(context.judge)
    ERR_clear_error()
    guard let ssl = unsafe SSL_new(context.pointer) else { throw .noMemoryForTLS }
    guard let nothing = unsafe BIO_new(BIO_s_mem()) else {
      unsafe SSL_free(ssl)
      throw .noMemoryForTLS
    }
    guard let leaving = unsafe BIO_new(BIO_s_mem()) else {
      unsafe BIO_free(nothing)
      unsafe SSL_free(ssl)
      throw .noMemoryForTLS
    }
    unsafe self.ssl = ssl
    unsafe self.nothing = nothing
    unsafe self.leaving = leaving
    unsafe Self.endIsNoEnd(of: nothing)
    // From here the connection owns what leaves, and a share of nothing.
    unsafe BIO_up_ref(nothing)
    unsafe SSL_set_bio(ssl, nothing, leaving)
    // Unsafe: the judgement lives as long as this object, and so longer than the connection.
    _ = unsafe SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(judgement).toOpaque())
    switch side {
    case .dialling: unsafe SSL_set_connect_state(ssl)
    case .listening: unsafe SSL_set_accept_state(ssl)
    }
  }

  deinit {
    unsafe SSL_free(ssl)
    unsafe BIO_free(nothing)
  }

  /// Lends what has arrived to the connection while `body` runs, and drops from the queue what it has taken of it.
  ///
  /// - Throws: what `body` throws; ``/CheckIn/TransportError/Code/resourcesExhausted`` when there is no memory.
  func lending<Result>(
    _ queue: inout ByteQueue, _ body: () throws(TransportError) -> Result
  ) throws(TransportError) -> Result {
    guard !queue.isEmpty else { return try body() }
    var taken = 0
    defer { queue.drop(taken) }
    return try queue.withBytes { bytes throws(TransportError) in
      try unsafe bytes.withUnsafeBufferPointer { memory throws(TransportError) in
        // Unsafe: the connection reads from this memory until it is given nothing again, and that is before the memory goes.
        guard let lent = unsafe BIO_new_mem_buf(memory.baseAddress, Int32(clamping: memory.count)) else {
          throw .noMemoryForTLS
        }
        unsafe Self.endIsNoEnd(of: lent)
        unsafe SSL_set0_rbio(ssl, lent)
        defer {
          taken = unsafe min(memory.count, Int(Int32.max)) - BIO_ctrl_pending(lent)
          unsafe BIO_up_ref(nothing)
          unsafe SSL_set0_rbio(ssl, nothing)
        }
        return try body()
      }
    }
  }

  /// An empty buffer means “not yet”, and not the end: BIO_set_mem_eof_return, a macro.
  private static func endIsNoEnd(of buffer: OpaquePointer) {
    _ = unsafe BIO_ctrl(buffer, BIO_C_SET_BUF_MEM_EOF_RETURN, -1, nil)
  }

  /// Whether something is to leave.
  var hasLeaving: Bool { unsafe BIO_ctrl_pending(leaving) > 0 }

  /// Takes out all that is to leave, in its order.
  func takeLeaving() -> [UInt8] {
    let count = unsafe BIO_ctrl_pending(leaving)
    guard count > 0 else { return [] }
    let buffer = unsafe leaving
    // Unsafe: the library writes at most `count` bytes, and has that many.
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { space, initialized in
      initialized = Int(unsafe BIO_read(buffer, space.baseAddress, Int32(clamping: count)))
      precondition(initialized == count, "a buffer in memory gave fewer bytes than it has")
    }
  }

  /// Goes on with the handshake as far as what has arrived permits; true when it is done at this side.
  func handshake() throws(TransportError) -> Bool {
    ERR_clear_error()
    let result = unsafe SSL_do_handshake(ssl)
    if result == 1 {
      guard hasAgreedOnProtocol else { throw .noCommonProtocol }
      return true
    }
    guard try finding(of: result) == .needsMore else {
      throw TransportError(.lost, "The peer ended the connection during the TLS handshake.")
    }
    return false
  }

  /// Whether the peer has said anything after the handshake: by that it has accepted us. What it said stays to be read.
  func isConfirmed() throws(TransportError) -> Bool {
    ERR_clear_error()
    var byte: UInt8 = 0
    let result = unsafe SSL_peek(ssl, &byte, 1)
    if result > 0 { return true }
    if try finding(of: result) == .finished { return true }
    return unsafe SSL_get_session(ssl).map { unsafe SSL_SESSION_has_ticket($0) == 1 } ?? false
  }

  /// Adds what can be read to the queue.
  func read(into queue: inout ByteQueue) throws(TransportError) -> Reading {
    var total = 0
    while total < Self.mostRead {
      ERR_clear_error()
      var result: Int32 = 0
      let connection = unsafe ssl
      let added = queue.fill(atLeast: 4_096) { space in
        // Unsafe: the library writes at most as many bytes as there is room for.
        result = unsafe space.withUnsafeMutableBufferPointer { space in
          unsafe SSL_read(connection, space.baseAddress, Int32(clamping: min(space.count, Self.mostRead)))
        }
        return max(0, Int(result))
      }
      total += added
      if added > 0 { continue }
      // What was read before a failure is handed out first; the next call meets the failure again.
      if total > 0 { break }
      return try finding(of: result)
    }
    return .bytes(total)
  }

  /// Encrypts the bytes.
  func write(_ bytes: ArraySlice<UInt8>) throws(TransportError) {
    ERR_clear_error()
    // Unsafe: the library reads the bytes during the call. Its buffer is in memory and takes all at once.
    let result = unsafe bytes.withUnsafeBufferPointer { unsafe SSL_write(ssl, $0.baseAddress, Int32($0.count)) }
    guard result != Int32(bytes.count) else { return }
    _ = try finding(of: result)
    throw TransportError(.lost, "The TLS connection can send no more.")
  }

  /// Says that we send no more (close_notify).
  func finish() {
    ERR_clear_error()
    _ = unsafe SSL_shutdown(ssl)
    ERR_clear_error()
  }

  /// The peer's certificate in DER, once it was accepted.
  var peerCertificate: [UInt8]? { judgement.accepted?.der }

  /// The bytes of RFC 9266 §2, which both ends know and no other connection has.
  func channelBinding() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 32)
    let label: StaticString = "EXPORTER-Channel-Binding"
    // Unsafe: the library reads the label, and writes 32 bytes.
    let result = unsafe SSL_export_keying_material(
      ssl, &bytes, bytes.count, UnsafeRawPointer(label.utf8Start).assumingMemoryBound(to: CChar.self),
      label.utf8CodeUnitCount, nil, 0, 1)
    ERR_clear_error()
    return result == 1 ? bytes : nil
  }

  private var hasAgreedOnProtocol: Bool {
    var name: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    unsafe SSL_get0_alpn_selected(ssl, &name, &count)
    // Unsafe: the name is the connection's, for as long as that lives.
    guard let name = unsafe name else { return false }
    return unsafe UnsafeBufferPointer(start: name, count: Int(count)).elementsEqual(TLSContext.protocolList.dropFirst())
  }

  /// What a call that did not succeed means.
  private func finding(of result: Int32) throws(TransportError) -> Reading {
    let kind = unsafe SSL_get_error(ssl, result)
    let error = ERR_peek_error()
    ERR_clear_error()
    switch kind {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .needsMore
    case SSL_ERROR_ZERO_RETURN: return .finished
    default: throw TLSFailure(library: error, refusal: judgement.refusal, side: side).error
    }
  }
}
