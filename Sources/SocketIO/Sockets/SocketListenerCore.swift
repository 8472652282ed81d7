internal import CLinux
internal import CheckIn
internal import Glibc
internal import Synchronization

/// The inside of a ``SocketListener``: what the loop holds while it listens.
final class SocketListenerCore: EventSource {
  private typealias Accepting = Waiter<Result<SocketConnection, TransportError>>

  private struct State: ~Copyable {
    /// Nil when closed.
    var descriptor: Descriptor?
    var token: EventToken?
    var isReadable = true
    var accepting: [Accepting] = []
    /// Accepted for a task that was cancelled at that moment: the next one gets it (L5).
    var spare: [SocketConnection] = []
    var retryDelay = Duration.milliseconds(10)
    var reserve = DescriptorReserve()
  }

  private let loop: EventLoop
  private let loops: EventLoopGroup
  private let traits: SocketTraits
  private let names: SocketNames
  private let prepare: @Sendable (borrowing Descriptor) -> Void
  private let free: @Sendable () -> Void
  private let state: Mutex<State>

  init(
    _ descriptor: consuming Descriptor, loops: EventLoopGroup, traits: SocketTraits, names: @escaping SocketNames,
    prepare: @escaping @Sendable (borrowing Descriptor) -> Void, free: @escaping @Sendable () -> Void
  ) {
    self.loop = loops.next()
    self.loops = loops
    self.traits = traits
    self.names = names
    self.prepare = prepare
    self.free = free
    state = Mutex(State(descriptor: descriptor))
  }

  func start() throws(TransportError) {
    do throws(TransportError) {
      try state.withLock { state throws(TransportError) in
        state.token = try loop.register(
          self, descriptor: state.descriptor?.number ?? -1, forRoom: false)
      }
    } catch {
      close()
      throw error
    }
  }

  func accept() async throws(TransportError) -> SocketConnection {
    guard !Task.isCancelled else { throw .cancelled("Accepting") }
    let waiter = Accepting()
    let (isOpen, alarm) = state.withLock { state in
      guard state.descriptor != nil else { return (false, nil as Alarm?) }
      state.accepting.append(waiter)
      return (true, serve(&state))
    }
    guard isOpen else { throw .listenerClosed }
    if let alarm { loop.setAlarm(at: alarm.time, for: alarm.token) }
    switch await waiter.wait() {
    case .settled(let result): return try result.get()
    case .cancelled, .timedOut:
      state.withLock { state in state.accepting.removeAll { $0 === waiter } }
      throw .cancelled("Accepting")
    }
  }

  func close() {
    end(.listenerClosed)
  }

  func ready(_ events: ReadyEvents) {
    retry()
  }

  func alarm(at now: LoopTime) {
    retry()
  }

  func loopEnded() {
    end(.loopsClosed)
  }

  private typealias Alarm = (time: LoopTime, token: EventToken)

  private func retry() {
    let alarm = state.withLock { state in
      state.isReadable = true
      return serve(&state)
    }
    if let alarm { loop.setAlarm(at: alarm.time, for: alarm.token) }
  }

  private func end(_ error: TransportError) {
    let (accepting, spare) = state.withLock { state -> ([Accepting], [SocketConnection]) in
      guard state.descriptor != nil else { return ([], []) }
      // Under the lock, so that the address is free when any call of `close` returns (L3).
      free()
      if let token = state.token { loop.unregister(token, descriptor: state.descriptor?.number ?? -1) }
      state.descriptor = nil
      state.reserve.release()
      defer {
        state.accepting = []
        state.spare = []
      }
      return (state.accepting, state.spare)
    }
    for waiter in accepting { waiter.settle(.failure(error)) }
    for connection in spare { connection.abort() }
  }

  /// Gives connections to those who wait, in their order, as far as there are any. Without a task that waits nothing is
  /// accepted: the system's queue is the only one. Answers when to try again.
  private func serve(_ state: inout State) -> Alarm? {
    while let waiter = state.accepting.first {
      if let connection = state.spare.first {
        state.accepting.removeFirst()
        if waiter.settle(.success(connection)) { state.spare.removeFirst() }
        continue
      }
      guard state.isReadable, let number = state.descriptor?.number else { return nil }
      switch state.reserve.fill() ? acceptOne(number) : .failure(.tryLater) {
      case .success(let connection):
        state.retryDelay = .milliseconds(10)
        state.accepting.removeFirst()
        if !waiter.settle(.success(connection)) { state.spare.append(connection) }
      case .failure(let failure):
        switch failure {
        case .nothing: state.isReadable = false
        case .tryNext: continue
        case .tryLater:
          state.reserve.release()
          state.isReadable = false
          guard let token = state.token else { return nil }
          let time = loop.clock.now + state.retryDelay
          state.retryDelay = min(state.retryDelay * 2, .milliseconds(500))
          return (time, token)
        case .broken(let error):
          state.accepting.removeFirst()
          waiter.settle(.failure(error))
        }
      }
    }
    return nil
  }

  private enum AcceptFailure: Error {
    case nothing
    /// That connection is gone already.
    case tryNext
    /// The system lacks something.
    case tryLater
    case broken(TransportError)
  }

  private func acceptOne(_ number: Int32) -> Result<SocketConnection, AcceptFailure> {
    var accepted: Int32 = -1
    // Unsafe: C writes no more than the length that it is given.
    let peer = unsafe SocketAddress { address, length in
      accepted = unsafe accept4(number, address, &length, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
      return accepted >= 0
    }
    guard let peer else {
      let error = errno
      switch error {
      case EAGAIN: return .failure(.nothing)
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .failure(.tryLater)
      case EBADF, EBADFD, EINVAL, ENOTSOCK, EOPNOTSUPP, EFAULT:
        return .failure(.broken(TransportError(system: error, "Accepting failed")))
      // Errors of the connection itself (accept(2)): it is gone, the listener is not.
      default: return .failure(.tryNext)
      }
    }
    let descriptor = Descriptor(owning: accepted)
    prepare(descriptor)
    do throws(TransportError) {
      return .success(
        try SocketConnection(descriptor, peer: peer, loops: loops, traits: traits, names: names))
    } catch {
      return .failure(error.code == .resourcesExhausted ? .tryLater : .broken(error))
    }
  }
}
