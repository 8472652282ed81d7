public import Certificates
public import CheckIn
internal import Synchronization

/// Mutual TLS 1.3 around any transport: `tls+tcp://127.0.0.1:7443`.
///
/// Both sides show a certificate of the event's issuer, and each judges the other's by its ``TLSCredentials``: its role,
/// its event, its dates. Names of hosts play no part. TLS runs on memory alone, so it needs no more of the transport
/// beneath than ``/CheckIn/Connection`` offers. Only TLS 1.3 (RFC 8446) with the application protocol `checkin/1`
/// (RFC 7301) is spoken, and no session is resumed.
///
/// What it adds to the transport beneath: the capabilities ``/CheckIn/TransportCapabilities/secure``,
/// ``/CheckIn/TransportCapabilities/channelBinding`` (`tls-exporter`, RFC 9266), half-close, and that an abort is always
/// told from a good end, because a good end is said (close_notify, RFC 8446 §6.1).
///
/// A certificate that is refused is ``/CheckIn/TransportError/Code/certificateRefused`` at both sides (R23). In TLS 1.3
/// the side that dials has done its part before the other has judged it; so the listening side says that it has (by a
/// session ticket that nobody uses), and ``/CheckIn/Transport/connect(to:before:)`` waits for that a short while.
public final class TLSTransport: TransportWrapper {
  /// The name of the application protocol (RFC 7301) that both sides must agree on.
  public static let applicationProtocol = "checkin/1"

  /// How what a peer presented is judged by a policy.
  package typealias Judge =
    @Sendable (_ chain: [Certificate], _ policy: CertificatePolicy) -> Result<Certificate, CertificateRefusal>

  private struct Contexts {
    var dialling: TLSContext?
    var listening: TLSContext?
  }

  private let contexts: Mutex<Contexts>
  private let limits: TLSLimits
  private let judge: Judge
  private let refused: @Sendable (TLSRefusal) -> Void

  /// A wrapper with what its sides prove themselves with.
  ///
  /// - Parameters:
  ///   - dialling: for connections that are dialled; nil where none is.
  ///   - listening: for connections that are accepted; nil where none is.
  ///   - limits: bounds of time and number.
  ///   - refused: told of each peer that a listener turned away, from whatever thread found it. It must not wait.
  /// - Throws: ``/Certificates/CertificateError`` when a key and its certificate cannot be used.
  public convenience init(
    dialling: TLSCredentials?, listening: TLSCredentials?, limits: TLSLimits = TLSLimits(),
    refused: @escaping @Sendable (TLSRefusal) -> Void = { _ in }
  ) throws(CertificateError) {
    try self.init(
      dialling: dialling, listening: listening, limits: limits, judge: { $1.judge($0) }, refused: refused)
  }

  /// The same, judging otherwise: for the tests of this package, which prove that they notice what is judged wrongly.
  package init(
    dialling: TLSCredentials?, listening: TLSCredentials?, limits: TLSLimits, judge: @escaping Judge,
    refused: @escaping @Sendable (TLSRefusal) -> Void
  ) throws(CertificateError) {
    self.limits = limits
    self.judge = judge
    self.refused = refused
    contexts = Mutex(Contexts())
    try reload(dialling: dialling, listening: listening)
  }

  /// A wrapper without certificates: each address with `tls+` is an error that says so.
  public init() {
    limits = TLSLimits()
    judge = { $1.judge($0) }
    refused = { _ in }
    contexts = Mutex(Contexts())
  }

  /// `tls`.
  public var prefix: String { "tls" }

  /// From now on new connections use these. Connections that are open, and handshakes that have begun, go on with what
  /// they began with.
  ///
  /// - Throws: as ``init(dialling:listening:limits:refused:)`` does; then nothing has changed.
  public func reload(
    dialling: TLSCredentials? = nil, listening: TLSCredentials? = nil
  ) throws(CertificateError) {
    let diallingContext: TLSContext? =
      if let dialling { try TLSContext(dialling, side: .dialling, judge: judge) } else { nil }
    let listeningContext: TLSContext? =
      if let listening { try TLSContext(listening, side: .listening, judge: judge) } else { nil }
    contexts.withLock { $0 = Contexts(dialling: diallingContext, listening: listeningContext) }
  }

  /// The transport inside TLS.
  public func wrap(_ transport: any Transport) -> any Transport {
    TLSWrappedTransport(transport, wrapper: self)
  }

  /// What connections on that side begin with now.
  func context(_ side: TLSSide, for endpoint: Endpoint) throws(TransportError) -> TLSContext {
    let context = contexts.withLock { side == .dialling ? $0.dialling : $0.listening }
    guard let context else {
      throw TransportError(
        .unsupported,
        "\(endpoint) needs a certificate of ours to \(side == .dialling ? "dial" : "listen") with, and there is none. "
          + "Give this program its container.")
    }
    return context
  }

  /// The bounds.
  var bounds: TLSLimits { limits }

  /// Tells of a peer that was turned away.
  func report(_ refusal: TLSRefusal) {
    refused(refusal)
  }
}

/// Bounds of a TLS transport.
public struct TLSLimits: Hashable, Sendable {
  /// How long a handshake may take, at either side.
  public var handshake: Duration
  /// How long a dial waits, after its own part, for word that the other side has accepted it.
  public var confirmation: Duration
  /// How many handshakes a listener has under way at once. One more ends the oldest.
  public var handshakes: Int
  /// How many connections wait at a listener to be accepted; further ones wait in the transport beneath.
  public var backlog: Int
  /// How long a close waits for bytes that were sent and have not gone yet.
  public var linger: Duration

  /// Bounds; these unless said otherwise.
  public init(
    handshake: Duration = .seconds(10), confirmation: Duration = .seconds(2), handshakes: Int = 64, backlog: Int = 64,
    linger: Duration = .seconds(5)
  ) {
    precondition(handshakes > 0 && backlog > 0, "a listener without room accepts nobody")
    self.handshake = handshake
    self.confirmation = confirmation
    self.handshakes = handshakes
    self.backlog = backlog
    self.linger = linger
  }
}

/// A peer that a listener turned away in its handshake.
public struct TLSRefusal: Sendable {
  /// Where it came from.
  public let peer: Endpoint
  /// Why, in words. Its code is ``/CheckIn/TransportError/Code/certificateRefused`` where a certificate was the cause.
  public let error: TransportError
}
