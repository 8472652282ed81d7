internal import CheckIn
internal import Glibc
internal import Synchronization

/// What a user holds. Dropping it closes it.
final class FIFOListener: Listener {
  private let core: FIFOListenerCore

  init(_ core: FIFOListenerCore) {
    self.core = core
    core.watch()
  }

  deinit {
    core.close()
  }

  var endpoint: Endpoint { core.path.endpoint }
  func accept() async throws(TransportError) -> any Connection { try await core.accept() }
  func close() async { core.close() }
}

/// The listener's pipe, and the connections on their way from dial to accept.
final class FIFOListenerCore: Sendable {
  private typealias Accepting = OneWait<FIFOConnection?>

  private struct State {
    var desk: Int32?
    var wish: Int?
    /// Names that have come, whole or in part.
    var text: [UInt8] = []
    var queued: [FIFOConnection] = []
    var accepting: [Accepting] = []
  }

  let path: FIFOPath
  private let thread: PollThread
  private let state: Mutex<State>

  /// Takes the address.
  init(_ path: FIFOPath, thread: PollThread) throws(TransportError) {
    self.path = path
    self.thread = thread
    state = Mutex(State(desk: try Self.open(path)))
  }

  func accept() async throws(TransportError) -> FIFOConnection {
    guard !Task.isCancelled else { throw .acceptCancelled }
    let waiter = Accepting()
    let isOpen = state.withLock { state in
      guard state.desk != nil else { return false }
      state.accepting.append(waiter)
      return true
    }
    guard isOpen else { throw .listenerClosed }
    serve()
    switch await waiter.wait(before: nil) {
    case .settled(.some(let connection)): return connection
    case .settled(.none): throw .listenerClosed
    case .cancelled, .timedOut:
      state.withLock { state in state.accepting.removeAll { $0 === waiter } }
      throw .acceptCancelled
    }
  }

  /// Waits for the next name, as long as there is room in the queue.
  func watch() {
    state.withLock { state in
      guard let desk = state.desk, state.wish == nil, state.queued.count < FIFOTransport.backlog else { return }
      state.wish = thread.wish(desk, for: POLLIN) { [weak self] _ in
        self?.state.withLock { $0.wish = nil }
        self?.serve()
      }
    }
  }

  func close() {
    let ended = state.withLock { state -> State in
      defer { state = State() }
      return state
    }
    guard let desk = ended.desk else { return }
    if let wish = ended.wish { thread.forget(wish) }
    // Before the lock on the file is given up, so that it is still ours to remove.
    if NamedFile.isSame(path.text, as: desk) { NamedFile.remove(path.text) }
    Glibc.close(desk)
    for waiter in ended.accepting { waiter.settle(nil) }
    for connection in ended.queued { connection.abort() }
  }

  /// Reads names, opens their pipes, and hands the connections out in order.
  private func serve() {
    state.withLock { state in
      guard let desk = state.desk else { return }
      read(from: desk, &state)
      while let waiter = state.accepting.first, let connection = state.queued.first {
        state.accepting.removeFirst()
        // Settling only schedules a task, so it may happen under the lock, which keeps the order.
        if waiter.settle(connection) { state.queued.removeFirst() }
        read(from: desk, &state)
      }
    }
    watch()
  }

  private func read(from desk: Int32, _ state: inout State) {
    while state.queued.count < FIFOTransport.backlog {
      if let end = state.text.firstIndex(of: UInt8(ascii: "\n")) {
        let name = String(decoding: state.text[..<end], as: UTF8.self)
        state.text.removeSubrange(...end)
        if let connection = open(name) { state.queued.append(connection) }
        continue
      }
      var space = [UInt8](repeating: 0, count: 512)
      // Unsafe: C writes no more than the count.
      let count = unsafe Glibc.read(desk, &space, space.count)
      // A stranger that writes no names gets no memory.
      guard count > 0, state.text.count < 4096 else { return }
      state.text += space[..<count]
    }
  }

  /// The connection of who has dialled, if it is still there.
  private func open(_ name: String) -> FIFOConnection? {
    guard (3...32).contains(name.utf8.count), name.utf8.allSatisfy({ $0 == 46 || (48...57).contains($0) }) else {
      return nil
    }
    guard case .success(let reading) = Descriptor.open(path.up(name), O_RDONLY) else { return nil }
    let input = Descriptor(owning: reading)
    guard case .success(let writing) = Descriptor.open(path.down(name), O_WRONLY) else { return nil }
    let output = Descriptor(owning: writing)
    // Unsafe: C reads one byte.
    guard unsafe write(output.number, [1], 1) == 1 else { return nil }
    return FIFOConnection(
      reading: input, writing: output, local: path.endpoint, remote: path.dialler(name), thread: thread)
  }

  /// The listener's pipe, new or left by a dead program. The lock on it says whose it is; it ends with the process.
  private static func open(_ path: FIFOPath) throws(TransportError) -> Int32 {
    for _ in 0..<100 {
      if let fault = NamedFile.makePipe(path.text), fault.number != EEXIST { throw .listening(path, fault) }
      switch Descriptor.open(path.text, O_RDWR) {
      case .failure(let fault) where fault.number == ENOENT: continue
      case .failure(let fault): throw .listening(path, fault)
      case .success(let number):
        guard NamedFile.isPipe(number), flock(number, LOCK_EX | LOCK_NB) == 0 else {
          Glibc.close(number)
          throw TransportError(.addressInUse, "\(path.endpoint) has a listener, or is another kind of file.")
        }
        if NamedFile.isSame(path.text, as: number) { return number }
        // It was removed between the two calls.
        Glibc.close(number)
      }
    }
    throw TransportError(.addressInUse, "\(path.endpoint) is taken and given up over and over.")
  }
}

extension TransportError {
  fileprivate static let acceptCancelled = TransportError(.cancelled, "Accepting was cancelled.")
  fileprivate static let listenerClosed = TransportError(.closed, "This listener was closed.")

  fileprivate static func listening(_ path: FIFOPath, _ fault: FileFault) -> TransportError {
    switch fault.number {
    case EACCES, EPERM: TransportError(.permissionDenied, "A pipe cannot be made at \(path.endpoint).")
    case EMFILE, ENFILE, ENOMEM, ENOSPC:
      TransportError(.resourcesExhausted, "The system has no descriptor or space left.")
    default: TransportError(.addressUnavailable, "A pipe cannot be made at \(path.endpoint): error \(fault.number).")
    }
  }
}
