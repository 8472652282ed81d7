internal import CheckIn
internal import Synchronization

/// What a user of the transport holds. Dropping it without closing closes it.
final class TLSListener: Listener {
  private let core: TLSListenerCore

  init(_ core: TLSListenerCore) {
    self.core = core
    core.start()
  }

  deinit {
    core.end()
  }

  var endpoint: Endpoint { core.endpoint }

  func accept() async throws(TransportError) -> any Connection {
    try await core.accept()
  }

  func close() async {
    core.end()
    await core.inner.close()
  }
}

/// Accepts beneath, shakes hands with many at once, and hands out those that are done.
final class TLSListenerCore: Sendable {
  private struct State {
    var isClosed = false
    /// Handshakes under way, in the order in which they began.
    var handshakes: [(number: Int, connection: any Connection)] = []
    var lastNumber = 0
    /// Done, not accepted. Empty while a task waits to accept.
    var ready: [TLSConnection] = []
    var accepting: [Waiter<TLSConnection?>] = []
    /// The loop waits for room among those that are ready.
    var room: Waiter<Void>?
    var loop: Task<Void, Never>?
  }

  let inner: any Listener
  let endpoint: Endpoint
  private let wrapper: TLSTransport
  private let scheme: String
  private let state = Mutex(State())

  init(_ inner: any Listener, wrapper: TLSTransport, scheme: String) {
    self.inner = inner
    self.wrapper = wrapper
    self.scheme = scheme
    endpoint = TLSNames(scheme: scheme).name(inner.endpoint)
  }

  func start() {
    let loop = Task { await self.run() }
    state.withLock { $0.loop = loop }
  }

  func accept() async throws(TransportError) -> TLSConnection {
    let cancelled = TransportError(.cancelled, "Accepting at \(endpoint) was cancelled.")
    let closed = TransportError(.closed, "This listener was closed.")
    guard !Task.isCancelled else { throw cancelled }
    let waiter = Waiter<TLSConnection?>()
    let (first, room, isClosed) = state.withLock { state -> (TLSConnection?, Waiter<Void>?, Bool) in
      if state.isClosed { return (nil, nil, true) }
      guard !state.ready.isEmpty else {
        state.accepting.append(waiter)
        return (nil, nil, false)
      }
      return (state.ready.removeFirst(), state.room.take(), false)
    }
    room?.settle(())
    if isClosed { throw closed }
    if let first { return first }
    switch await waiter.wait() {
    case .settled(.some(let connection)): return connection
    case .settled(.none): throw closed
    case .cancelled, .timedOut:
      state.withLock { $0.accepting.removeAll { $0 === waiter } }
      throw cancelled
    }
  }

  /// Ends everything that is not accepted (L4), and the waits.
  func end() {
    let ended = state.withLock { state in
      let ended = state
      state = State(isClosed: true)
      return ended
    }
    ended.loop?.cancel()
    ended.room?.settle(())
    for waiter in ended.accepting { waiter.settle(nil) }
    for handshake in ended.handshakes { handshake.connection.abort() }
    for connection in ended.ready { connection.abort() }
  }

  private func run() async {
    while await waitForRoom() {
      do throws(TransportError) {
        begin(try await inner.accept())
      } catch {
        if error.code == .closed || error.code == .cancelled { return }
        // One that failed does not end the listener (L6).
        try? await Task.sleep(for: .milliseconds(10))
      }
    }
  }

  /// Waits until one more may become ready; false when the listener is closed.
  private func waitForRoom() async -> Bool {
    while !Task.isCancelled {
      let room = Waiter<Void>()
      let (isClosed, isFull) = state.withLock { state in
        let isFull = state.ready.count >= wrapper.bounds.backlog
        if isFull { state.room = room }
        return (state.isClosed, isFull)
      }
      if isClosed { return false }
      if !isFull { return true }
      _ = await room.wait()
    }
    return false
  }

  private func begin(_ connection: any Connection) {
    let (number, oldest) = state.withLock { state -> (Int?, (any Connection)?) in
      guard !state.isClosed else { return (nil, nil) }
      let isFull = state.handshakes.count >= wrapper.bounds.handshakes
      let oldest = isFull ? state.handshakes.removeFirst().connection : nil
      state.lastNumber += 1
      state.handshakes.append((state.lastNumber, connection))
      return (state.lastNumber, oldest)
    }
    oldest?.abort()
    guard let number else { return connection.abort() }
    Task(executorPreference: connection.executor) { await self.shakeHands(connection, number) }
  }

  private func shakeHands(_ connection: any Connection, _ number: Int) async {
    do throws(TransportError) {
      let engine = try TLSEngine(wrapper.context(.listening, for: endpoint))
      let arrived = try await TLSHandshake.answer(
        engine, over: connection, before: .now + wrapper.bounds.handshake)
      hand(over: wrapper.connection(connection, engine, arrived, scheme), number)
    } catch {
      state.withLock { $0.handshakes.removeAll { $0.number == number } }
      wrapper.report(TLSRefusal(peer: TLSNames(scheme: scheme).name(connection.remote), error: error))
      abandon(connection, after: error)
    }
  }

  /// Gives a connection to a task that accepts, or keeps it for one. Only then does the peer hear that it is accepted,
  /// so that connections are accepted in the order in which their dials ended (L2).
  private func hand(over connection: TLSConnection, _ number: Int) {
    let isClosed = state.withLock { state in
      state.handshakes.removeAll { $0.number == number }
      if state.isClosed { return true }
      while !state.accepting.isEmpty {
        if state.accepting.removeFirst().settle(connection) { return false }
      }
      state.ready.append(connection)
      return false
    }
    if isClosed { connection.abort() } else { connection.confirm() }
  }
}
