internal import CheckIn
internal import Synchronization

/// What a user of the transport holds. Dropping it without closing closes it.
final class MemoryListener: Listener {
  private let core: MemoryListenerCore
  private let transport: InMemoryTransport

  init(core: MemoryListenerCore, transport: InMemoryTransport) {
    self.core = core
    self.transport = transport
  }

  deinit {
    end()
  }

  var endpoint: Endpoint { core.endpoint }

  func accept() async throws(TransportError) -> any Connection {
    try await core.accept()
  }

  func close() async {
    end()
  }

  private func end() {
    transport.remove(core)
    core.close()
  }
}

/// Connections on their way from dial to accept.
final class MemoryListenerCore: Sendable {
  private struct State {
    var isClosed = false
    /// Dialled, not accepted. Empty while a task waits to accept.
    var queued: [MemoryConnection] = []
    var accepting: [Waiter<MemoryConnection?>] = []
    /// Dials that wait for a place in the queue.
    var dialling: [Waiter<Void>] = []
  }

  let endpoint: Endpoint
  private let state = Mutex(State())

  init(endpoint: Endpoint) {
    self.endpoint = endpoint
  }

  func accept() async throws(TransportError) -> MemoryConnection {
    guard !Task.isCancelled else { throw .cancelled("Accepting at \(endpoint)") }
    let waiter = Waiter<MemoryConnection?>()
    let (first, dial, isClosed) = state.withLock { state -> (MemoryConnection?, Waiter<Void>?, Bool) in
      if state.isClosed { return (nil, nil, true) }
      if state.queued.isEmpty {
        state.accepting.append(waiter)
        return (nil, nil, false)
      }
      let first = state.queued.removeFirst()
      return (first, state.dialling.isEmpty ? nil : state.dialling.removeFirst(), false)
    }
    dial?.settle(())
    if isClosed { throw .listenerClosed }
    if let first { return first }
    switch await waiter.wait() {
    case .settled(.some(let connection)): return connection
    case .settled(.none): throw .listenerClosed
    case .cancelled, .timedOut:
      state.withLock { $0.accepting.removeAll { $0 === waiter } }
      throw .cancelled("Accepting at \(endpoint)")
    }
  }

  /// Hands a dialled connection to a task that accepts, or to the queue; waits while that is full.
  func queue(_ connection: MemoryConnection, before deadline: Deadline) async throws(TransportError) {
    while true {
      let place = Waiter<Void>()
      // Under the lock, so that two dials cannot change places (L2). Settling only schedules a task.
      let (isQueued, isClosed) = state.withLock { state -> (Bool, Bool) in
        if state.isClosed { return (false, true) }
        while !state.accepting.isEmpty {
          if state.accepting.removeFirst().settle(connection) { return (true, false) }
        }
        guard state.queued.count < InMemoryTransport.backlog else {
          state.dialling.append(place)
          return (false, false)
        }
        state.queued.append(connection)
        return (true, false)
      }
      if isClosed { throw .refused(endpoint) }
      if isQueued { return }
      switch await place.wait(before: deadline) {
      case .settled: continue
      case .cancelled:
        leave(place)
        throw .cancelled("Dialling \(endpoint)")
      case .timedOut:
        leave(place)
        throw .timedOut("Dialling \(endpoint)")
      }
    }
  }

  func close() {
    let ended = state.withLock { state in
      let ended = state
      state = State(isClosed: true)
      return ended
    }
    for waiter in ended.accepting { waiter.settle(nil) }
    for waiter in ended.dialling { waiter.settle(()) }
    for connection in ended.queued { connection.abort() }
  }

  private func leave(_ place: Waiter<Void>) {
    state.withLock { $0.dialling.removeAll { $0 === place } }
  }
}
