public import CheckInCore
internal import Synchronization

/// Messages over a connection: bodies of bytes, each in a frame (see ``/CheckInCore/Frame``).
///
/// Any number of tasks may send. One task at a time receives. A task that is begun by
/// `Task(executorPreference: channel.executor)` runs where the connection's events arrive, and is woken without a hop between
/// threads, which takes several times as long as all else. A channel that is dropped without ``close()`` aborts its
/// connection. What it promises over every transport that keeps its own rules, and the conformance suite checks:
///
/// - **M1** Every body arrives whole, as one and in order, in whatever pieces its bytes come.
/// - **M2** A body at the limit passes; one above it is ``TransportError/Code/tooLarge`` where it is sent and where it is
///   received. The limits of the two directions are independent.
/// - **M3** A body of no bytes is ``TransportError/Code/malformed`` where it is sent and where it is received.
/// - **M4** A length above the limit is refused as soon as it has arrived, before memory is set aside for the body, and
///   again at each later call.
/// - **M5** A stream that ends within a message is ``TransportError/Code/lost``; one that ends between two has finished.
/// - **M6** A call that is cancelled or passes its deadline leaves the channel as it was: the bytes of a message that has
///   begun to arrive are kept, and the next call goes on with them.
/// - **M7** Bytes that do not follow the framing end their own connection, and nothing else.
public final class MessageChannel: Sendable {
  /// The most bytes that a body may have, each way.
  public struct Limits: Hashable, Sendable {
    /// For what we send.
    public var send: Int
    /// For what we receive.
    public var receive: Int

    /// Limits; 65,536 bytes unless said otherwise.
    ///
    /// - Precondition: both are at least 1.
    public init(send: Int = Frame.defaultLimit, receive: Int = Frame.defaultLimit) {
      precondition(send > 0 && receive > 0, "a limit of no bytes lets nothing through")
      self.send = send
      self.receive = receive
    }
  }

  /// What the messages travel on. Its own receive calls would take bytes away from the channel.
  public let connection: any Connection
  /// The limits.
  public let limits: Limits

  private let reader: FrameReader
  /// The bytes that have arrived; nil while a task receives into them.
  private let incoming = Mutex<ByteQueue?>(ByteQueue())

  /// Messages over `connection`, which the channel has to itself from now on.
  public init(_ connection: any Connection, limits: Limits = Limits()) {
    self.connection = connection
    self.limits = limits
    reader = FrameReader(limit: limits.receive)
  }

  /// Our end.
  public var local: Endpoint { connection.local }
  /// The peer's end.
  public var remote: Endpoint { connection.remote }
  /// See ``Connection/channelBinding``.
  public var channelBinding: [UInt8]? { connection.channelBinding }
  /// See ``Connection/executor``.
  public var executor: (any TaskExecutor)? { connection.executor }

  /// Sends one body, in one ``Connection/send(_:before:)``.
  ///
  /// - Throws: ``TransportError/Code/tooLarge`` when it is larger than the limit and ``TransportError/Code/malformed``
  ///   when it is empty, with nothing sent; else as ``Connection/send(_:before:)`` does (C4, C10).
  public func send(_ body: [UInt8], before deadline: Deadline? = nil) async throws(TransportError) {
    let prefix: Frame.Prefix
    do throws(FrameError) {
      prefix = try Frame.prefix(of: body, limit: limits.send)
    } catch {
      throw error.sending(limit: limits.send)
    }
    if try connection.sendAtOnce(body, behind: prefix) { return }
    try await connection.send(prefix.before(body), before: deadline)
  }

  /// Sends several bodies, in their order, in one ``Connection/send(_:before:)``: where there are many small ones, that
  /// costs little more than sending one. None of another task's comes between them. Of no bodies nothing is sent.
  ///
  /// - Throws: as ``send(_:before:)`` does. One that is too large or empty keeps all of them from being sent.
  public func send(contentsOf bodies: [[UInt8]], before deadline: Deadline? = nil) async throws(TransportError) {
    var frames: [UInt8] = []
    frames.reserveCapacity(bodies.reduce(0) { $0 + Frame.prefixLength + $1.count })
    do throws(FrameError) {
      for body in bodies { try Frame.append(body, to: &frames, limit: limits.send) }
    } catch {
      throw error.sending(limit: limits.send)
    }
    guard !frames.isEmpty else { return }
    try await connection.send(frames, before: deadline)
  }

  /// Waits for the next body; nil when the peer has finished, and finished between two messages.
  ///
  /// - Throws: ``TransportError/Code/tooLarge`` or ``TransportError/Code/malformed`` when the peer breaks the framing:
  ///   nothing more can be received then, and later calls throw the same. ``TransportError/Code/lost`` when the stream
  ///   ends within a message. Else as ``Connection/receive(into:before:)`` does (C4, C10).
  /// - Precondition: no other task is in this call.
  public func receive(before deadline: Deadline? = nil) async throws(TransportError) -> [UInt8]? {
    guard
      var queue = incoming.withLock({ waiting -> ByteQueue? in
        defer { waiting = nil }
        return waiting
      })
    else { preconditionFailure("two tasks receive from one channel at once") }
    defer {
      let kept = queue
      incoming.withLock { $0 = kept }
    }
    while true {
      // Errors are made in functions that do not wait: a receive that waits keeps memory for nothing but its wait.
      if let body = try next(from: &queue) { return body }
      if case .finished = try await connection.receive(into: &queue, before: deadline) {
        try checkEnd(behind: queue)
        return nil
      }
    }
  }

  private func next(from queue: inout ByteQueue) throws(TransportError) -> [UInt8]? {
    do throws(FrameError) {
      return try reader.next(from: &queue)
    } catch {
      throw error.receiving(limit: limits.receive)
    }
  }

  private func checkEnd(behind queue: borrowing ByteQueue) throws(TransportError) {
    guard queue.isEmpty else {
      throw TransportError(.lost, "The connection to \(remote) ended in the middle of a message.")
    }
  }

  /// Ends our direction: no more messages from us. See ``Connection/finish()``.
  public func finish() async throws(TransportError) {
    try await connection.finish()
  }

  /// Ends the connection in good order: what was sent is delivered. See ``Connection/close()``.
  public func close() async {
    await connection.close()
  }

  /// Ends the connection now. See ``Connection/abort()``.
  public func abort() {
    connection.abort()
  }
}

extension FrameError {
  fileprivate func sending(limit: Int) -> TransportError {
    switch self {
    case .empty: TransportError(.malformed, "A message of no bytes cannot be sent.", cause: self)
    case .tooLarge(let length):
      TransportError(
        .tooLarge, "A message of \(length) bytes is above the limit of \(limit) and was not sent.", cause: self)
    }
  }

  fileprivate func receiving(limit: Int) -> TransportError {
    switch self {
    case .empty:
      TransportError(.malformed, "The peer sent a message of no bytes, which the framing forbids.", cause: self)
    case .tooLarge(let length):
      TransportError(
        .tooLarge,
        "The peer announced a message of \(length) bytes; the limit is \(limit). It may not be a check-in peer.",
        cause: self)
    }
  }
}
