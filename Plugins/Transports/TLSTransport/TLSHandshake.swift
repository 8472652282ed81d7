internal import CheckIn
internal import CheckInCore

/// Carries the handshake of one engine over a connection.
enum TLSHandshake {
  /// The dialling side, to the word that the other side has accepted us. Where that does not come in a while, and no
  /// refusal does, the handshake has succeeded all the same: another implementation may say nothing. Answers what came
  /// behind the handshake.
  static func dial(
    _ engine: TLSEngine, over inner: any Connection, before deadline: Deadline, confirmation: Duration
  ) async throws(TransportError) -> ByteQueue {
    var arrived = ByteQueue()
    try await perform(engine, over: inner, &arrived, before: deadline)
    try await flush(engine, to: inner, before: deadline)
    let patience = min(deadline, .now + confirmation)
    while try !engine.lending(&arrived, { () throws(TransportError) in try engine.isConfirmed() }) {
      do throws(TransportError) {
        guard case .bytes = try await inner.receive(into: &arrived, before: patience) else {
          throw TransportError.endedWithoutNotice
        }
      } catch {
        if error.code == .timedOut, patience < deadline { return arrived }
        throw error
      }
    }
    return arrived
  }

  /// The listening side. The sign that it has accepted the peer is in the engine when this returns, and not sent. Answers
  /// what came behind the handshake.
  static func answer(
    _ engine: TLSEngine, over inner: any Connection, before deadline: Deadline
  ) async throws(TransportError) -> ByteQueue {
    var arrived = ByteQueue()
    try await perform(engine, over: inner, &arrived, before: deadline)
    return arrived
  }

  private static func perform(
    _ engine: TLSEngine, over inner: any Connection, _ arrived: inout ByteQueue, before deadline: Deadline
  ) async throws(TransportError) {
    while true {
      // Steps for which all has arrived have no wait that the deadline would end.
      guard .now < deadline else { throw TransportError(.timedOut, "The TLS handshake did not end in time.") }
      do throws(TransportError) {
        if try engine.lending(&arrived, { () throws(TransportError) in try engine.handshake() }) { return }
      } catch {
        // The alert says why.
        try? await flush(engine, to: inner, before: deadline)
        throw error
      }
      try await flush(engine, to: inner, before: deadline)
      guard case .bytes = try await inner.receive(into: &arrived, before: deadline) else {
        throw TransportError(.lost, "The peer ended the connection during the TLS handshake.")
      }
    }
  }

  private static func flush(
    _ engine: TLSEngine, to inner: any Connection, before deadline: Deadline
  ) async throws(TransportError) {
    let leaving = engine.takeLeaving()
    if !leaving.isEmpty { try await inner.send(leaving, before: deadline) }
  }
}
