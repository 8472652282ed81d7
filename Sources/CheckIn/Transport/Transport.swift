public import CheckInCore

/// A point in time after which a wait ends with ``TransportError/Code/timedOut``.
public typealias Deadline = ContinuousClock.Instant

/// A way to move an ordered, reliable stream of bytes between two endpoints.
///
/// A transport is a value or an immutable object that makes listeners and connections; it may be used from many tasks
/// at once. Someone who writes one needs these rules; each number is checked by the conformance suite.
///
/// - **T1** ``scheme`` is in lower case and constant, and both calls refuse an endpoint of any other scheme, a prefix of
///   the own one included, with ``TransportError/Code/unsupported``.
/// - **T2** An address that cannot be read is ``TransportError/Code/addressMalformed`` from both calls.
/// - **T3** ``connect(to:before:)`` to a place where nobody listens is ``TransportError/Code/refused``, as often as it
///   is tried, and leaves nothing behind.
/// - **T4** ``connect(to:before:)`` ends by its deadline with ``TransportError/Code/timedOut``, and soon after its task
///   is cancelled with ``TransportError/Code/cancelled``; both leave nothing behind. Without a deadline the transport's own bound holds.
/// - **T5** ``listen(on:)`` on an address that a listener has is ``TransportError/Code/addressInUse``, and the other
///   listener is unharmed.
/// - **T6** A listener on port (or name, or PSM) zero, where the transport has such, gets a free one.
/// - **T7** What ``capabilities`` declares holds for every connection and listener that the transport makes.
/// - **T8** An endpoint that can be listened on and not dialled, such as a wildcard, is refused by
///   ``connect(to:before:)`` with ``TransportError/Code/addressMalformed``.
/// - **T9** No call blocks its thread.
/// - **T10** An address that is another machine's is ``TransportError/Code/addressUnavailable`` from ``listen(on:)``.
/// - **T11** An address to which there is no way is ``TransportError/Code/unreachable`` from ``connect(to:before:)``.
/// - **T12** A transport that limits how many connections are open refuses one more with
///   ``TransportError/Code/resourcesExhausted``, and admits again when one has ended.
public protocol Transport: Sendable {
  /// The URL scheme, such as `tcp`.
  var scheme: String { get }

  /// What this transport can do beyond moving bytes.
  var capabilities: TransportCapabilities { get }

  /// Opens a connection to the listener at `endpoint`.
  ///
  /// - Throws: as T1–T4 and T8 say; ``TransportError/Code/unreachable`` where there is no way.
  func connect(to endpoint: Endpoint, before deadline: Deadline?) async throws(TransportError) -> any Connection

  /// Starts to listen at `endpoint`.
  ///
  /// - Throws: as T1, T2 and T5 say; ``TransportError/Code/addressUnavailable`` when the address is not this machine's.
  func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener
}

/// Accepts connections at one endpoint.
///
/// - **L1** ``endpoint`` is the real one: it can be dialled, also when zero was asked for. A wildcard stays one.
/// - **L2** ``accept()`` returns connections in the order in which they came, each once. Many tasks may wait in it.
/// - **L3** ``close()`` ends every waiting and every later ``accept()`` with ``TransportError/Code/closed``; it may be
///   called often and from many tasks, and when it returns the address is free.
/// - **L4** Connections that were accepted live on after ``close()``; those that still queue are ended, so that their
///   peers notice.
/// - **L5** A cancelled ``accept()`` throws ``TransportError/Code/cancelled``, and loses no connection.
/// - **L6** One failed connection, or a lack of descriptors, does not end the listener: ``accept()`` goes on when it can.
/// - **L7** A peer that says nothing, or dies at once, delays no other.
/// - **L8** The queue of connections that wait to be accepted is bounded. A dial that finds it full waits (T4), and goes
///   on when there is room.
/// - **L9** A peer that does not finish the transport's own handshake, where it has one, is dropped in bounded time.
/// - **L10** A listener that is dropped without ``close()`` is closed soon.
public protocol Listener: Sendable {
  /// Where it listens.
  var endpoint: Endpoint { get }

  /// Waits for the next connection.
  func accept() async throws(TransportError) -> any Connection

  /// Stops listening.
  func close() async
}

/// What ``Connection/receive(into:before:)`` found.
public enum Reception: Hashable, Sendable {
  /// So many bytes, at least one, were added to the queue.
  case bytes(Int)
  /// The peer has finished sending, and every byte that it sent has been received.
  case finished
}

/// An ordered, reliable stream of bytes each way.
///
/// One task at a time receives; any number may send. Three ends are told apart: the peer finished (``Reception/finished``),
/// the peer was lost (``TransportError/Code/lost``), and we closed (``TransportError/Code/closed``).
///
/// - **C1** Bytes arrive as they were sent: none changed, lost, doubled or reordered, whatever the sizes of the calls.
/// - **C2** The bytes of one ``send(_:before:)`` stay together, also when many tasks send at once.
/// - **C3** ``send(_:before:)`` waits while the peer does not read; memory stays bounded. ``receive(into:before:)`` waits
///   for at least one byte and never adds a byte that it does not count.
/// - **C4** A wait that is cancelled or passes its deadline throws ``TransportError/Code/cancelled`` or
///   ``TransportError/Code/timedOut``, and the connection still works: a receive has taken nothing, and a send has
///   either sent nothing or the rest of its bytes still goes out, in order, before those of any later send.
/// - **C5** Sending and receiving are independent: neither waits for the other, nor do their deadlines touch.
/// - **C6** ``finish()`` ends our direction after all that was sent; the peer's ``receive(into:before:)`` then answers
///   ``Reception/finished``, again and again. Where the transport has half-close, the peer can go on sending;
///   elsewhere `finish()` throws ``TransportError/Code/unsupported`` and changes nothing.
/// - **C7** ``close()`` delivers what was sent, in bounded time, and then frees every resource. It may be called often
///   and from many tasks, and wakes blocked calls with ``TransportError/Code/closed``. The peer finds all that was sent
///   and then ``Reception/finished``.
/// - **C8** ``abort()`` frees everything at once, delivers nothing more, and never waits. What arrives before it is a
///   prefix of what was sent. The peer's calls throw ``TransportError/Code/lost`` unless it had everything already and
///   the transport cannot tell.
/// - **C9** A peer that dies is noticed by a waiting ``receive(into:before:)`` without sending, as soon as the system knows.
/// - **C10** After ``close()`` or ``abort()`` every call throws ``TransportError/Code/closed``. After the peer was lost
///   calls throw ``TransportError/Code/lost``, once the bytes that had arrived are taken.
/// - **C11** ``remote`` is the peer's address where it has one, never our own; ``local`` is ours.
/// - **C12** A connection that is dropped without ``close()`` is aborted, and its resources are freed.
/// - **C13** Connections do not touch each other: one that fails, stalls or closes delays none and ends none, and a new
///   one has nothing of an old one in it.
/// - **C14** A ``send(_:before:)`` of no bytes does nothing.
/// - **C15** ``channelBinding``, where the transport has it, is the same at both ends and another for each connection.
/// - **C16** ``sendAtOnce(_:behind:)`` never waits, and takes all of its bytes or none, in order with those of every other
///   send.
public protocol Connection: AnyObject, Sendable {
  /// Our end.
  var local: Endpoint { get }
  /// The peer's end.
  var remote: Endpoint { get }

  /// Bytes that both ends know and that no other connection has (RFC 5056), where the transport has them; else nil.
  var channelBinding: [UInt8]? { get }

  /// What tells the peer's machine from others, such as its host address without the port, for limits on each peer
  /// (R19); nil where the transport knows no such thing.
  var peerAddress: String? { get }

  /// The certificate that the peer has proved itself with and that our side has accepted, in DER, where the transport has
  /// such; else nil.
  var peerCertificate: [UInt8]? { get }

  /// The event loop that the connection lives on. A task that prefers it is woken without a thread hop; nil: no preference.
  var executor: (any TaskExecutor)? { get }

  /// Waits until there is at least one byte, adds what there is to `queue`, and says how many.
  ///
  /// The transport decides how many at once; it adds at most 256 KiB a call.
  func receive(into queue: inout ByteQueue, before deadline: Deadline?) async throws(TransportError) -> Reception

  /// Sends the bytes: returns when the transport has taken them all. The caller may reuse its array at once.
  func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError)

  /// Sends the bytes, with a frame's prefix in front if there is one, where that needs no wait: true when the transport has
  /// taken them all; false when it has taken none. Then ``send(_:before:)`` waits for room; the caller puts the prefix in
  /// front (``/CheckInCore/Frame/Prefix/before(_:)``). It throws as that does.
  ///
  /// A shorter way to the same for small messages: a transport need not have it, and sockets answer false from 16 KiB on.
  /// What was taken may lie until the turn of the event loop ends; a loss is told by the next call then. A connection that
  /// wraps another and changes or records bytes must not hand this on without doing so here too; without it nothing is lost
  /// but the gathering of small sends.
  func sendAtOnce(_ bytes: [UInt8], behind prefix: Frame.Prefix?) throws(TransportError) -> Bool

  /// Ends our direction (half-close).
  func finish() async throws(TransportError)

  /// Ends the connection in good order.
  func close() async

  /// Ends the connection now.
  func abort()
}

extension Connection {
  /// Nothing: most transports tell no peers apart.
  public var peerAddress: String? { nil }
  /// None: what a transport without certificates has.
  public var peerCertificate: [UInt8]? { nil }
  /// Never: what a transport that has no shorter way does.
  public func sendAtOnce(_ bytes: [UInt8], behind prefix: Frame.Prefix?) throws(TransportError) -> Bool { false }
  /// None: what a transport without such bytes has.
  public var channelBinding: [UInt8]? { nil }
  /// No preference: what a transport without event loops has.
  public var executor: (any TaskExecutor)? { nil }
}
