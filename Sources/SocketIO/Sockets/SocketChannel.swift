internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import Synchronization

/// The inside of a ``SocketConnection``: what the loop holds while the socket is open.
///
/// System calls are made under the lock. They do not block, and so none can reach a descriptor that another task has
/// closed, or that the system has given to somebody else since.
final class SocketChannel: EventSource {
  let loop: EventLoop
  let traits: SocketTraits
  let state: Mutex<ChannelState>

  init(_ descriptor: consuming Descriptor, on loop: EventLoop, traits: SocketTraits, isConnected: Bool) {
    self.loop = loop
    self.traits = traits
    var descriptor = descriptor
    descriptor.closesAside = traits.closeBlocks
    state = Mutex(ChannelState(descriptor, isConnected: isConnected))
  }

  /// Has the loop watch the socket.
  func start() throws(TransportError) {
    try state.withLock { state throws(TransportError) in
      try state.register(self, on: loop)
    }
  }

  func names(
    _ names: SocketNames, fallback: SocketAddress
  ) throws(TransportError) -> (local: Endpoint, remote: Endpoint) {
    let found = state.withLock { state in
      state.descriptor?.named(names, fallback: fallback)
    }
    guard let found else { throw .loopsClosed }
    return found
  }

  func ready(_ events: ReadyEvents) {
    // Nearly always something has arrived, and a receive waits for it.
    if events == .readable, let reader = state.withLock({ state in state.noteReadable() }) {
      return reader.resume(.ready)
    }
    let effects = state.withLock { state in
      state.note(events, loop)
      return state.advance(traits, loop)
    }
    perform(effects)
  }

  func turnEnded() {
    let effects = state.withLock { state in state.advance(traits, loop) }
    perform(effects)
  }

  func alarm(at now: LoopTime) {
    let effects = state.withLock { state in
      var effects = state.expire(at: now, traits, loop)
      effects.alarm = state.nextAlarm() ?? effects.alarm
      return effects
    }
    perform(effects)
  }

  func loopEnded() {
    end(.loopsClosed)
  }

  /// Frees everything now (C8).
  func abort() {
    end(.connectionClosed)
  }

  /// Gives up a dial that was cancelled, or took too long.
  func abandon() {
    guard traits.finishesDials else { return abort() }
    let effects = state.withLock { state in
      state.phase == .closed ? ChannelEffects() : state.abandon(traits, loop)
    }
    perform(effects)
  }

  private func end(_ error: TransportError) {
    let effects = state.withLock { state in
      guard state.phase != .closed else { return ChannelEffects() }
      if traits.abortResets { resetOnClose(state.number) }
      return state.end(error, loop)
    }
    perform(effects)
  }

  func close() async {
    await withCheckedContinuation { continuation in
      let effects = state.withLock { state in
        guard state.phase != .closed else {
          return ChannelEffects(closed: [continuation])
        }
        state.closing.append(continuation)
        return state.beginClose(traits, loop)
      }
      perform(effects)
    }
  }

  func finish() throws(TransportError) {
    let (effects, error) = state.withLock { state -> (ChannelEffects, TransportError?) in
      if let error = state.finishError(traits) { return (ChannelEffects(), error) }
      state.finishes = true
      return (state.advance(traits, loop), nil)
    }
    perform(effects)
    if let error { throw error }
  }

  func connect(to address: SocketAddress, before deadline: Deadline) async throws(TransportError) {
    let waiter = Waiter<TransportError?>()
    let effects = try state.withLock { state throws(TransportError) in
      try state.beginConnect(self, to: address, on: loop, waiter, until: loop.clock.time(of: deadline))
    }
    perform(effects)
    switch await waiter.wait() {
    case .settled(nil): return
    case .settled(.some(let error)): throw error
    case .cancelled: throw .cancelled("Connecting")
    case .timedOut: throw .timedOut("Connecting")
    }
  }

  /// Does what was decided under the lock.
  func perform(_ effects: ChannelEffects) {
    if let (time, token) = effects.alarm { loop.setAlarm(at: time, for: token) }
    effects.reader?.resume(effects.wake)
    for (waiter, error) in effects.sends { waiter.settle(error) }
    for waiter in effects.expired { waiter.expire() }
    for continuation in effects.closed { continuation.resume() }
  }
}

/// What is to be done when the lock is released.
struct ChannelEffects {
  var alarm: (LoopTime, EventToken)?
  var reader: ReadContinuation?
  var wake = ReadWake.ready
  var sends: [(Waiter<TransportError?>, TransportError?)] = []
  var expired: [Waiter<TransportError?>] = []
  var closed: [CheckedContinuation<Void, Never>] = []

  /// Has those told who wait for these to go out.
  mutating func settle(_ sends: [PendingSend], _ error: TransportError?) {
    for case .some(let waiter) in sends.map(\.waiter) { self.sends.append((waiter, error)) }
  }
}

extension Descriptor {
  fileprivate func named(_ names: SocketNames, fallback: SocketAddress) -> (local: Endpoint, remote: Endpoint) {
    names(self, SocketAddress(ofPeerOf: self) ?? fallback)
  }
}
