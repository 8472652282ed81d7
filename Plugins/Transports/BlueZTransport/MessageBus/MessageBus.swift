internal import CLinux
package import CheckIn
internal import Glibc
internal import SocketIO
internal import Synchronization

/// A connection with a message bus, served by a thread of its own.
///
/// The thread, and not an event loop, because sd-bus belongs to the one thread that uses it, wants to be asked as long as
/// its descriptor is readable (the loops are told of changes alone), and takes apart whatever others send, of any size: no
/// connection of a check-in should wait for that. There is one such thread for each advertisement or look-out.
package final class MessageBus: Sendable {
  private let core: BusCore

  /// Begins to connect. Whether it succeeds shows in the first call.
  ///
  /// - Parameter listener: is told, on the bus's thread, of every signal, and of the end, once. It must not block.
  /// - Throws: ``BusError/noBus(_:)`` when the system has no more threads or descriptors.
  package init(
    _ address: BusAddress, listener: @escaping @Sendable (BusEvent) -> Void
  ) throws(BusError) {
    core = try BusCore(address, listener: listener)
    try core.start()
  }

  deinit {
    core.close()
  }

  /// Calls a method and waits for what it gives back.
  package func call(_ call: BusCall, before deadline: Deadline) async throws(BusError) -> [BusValue] {
    try await core.call(call, before: deadline)
  }

  /// Sends a signal to whoever listens.
  package func emit(_ signal: BusSignal) {
    core.enqueue(.emit(signal))
  }

  /// Answers calls to the object at that path from now on. The handler runs on the bus's thread, and must not block.
  package func serve(_ path: String, _ handler: @escaping @Sendable (BusRequest) -> BusAnswer) {
    core.serve(path, handler)
  }

  /// Ends the connection, which takes back whatever a service keeps for it. May be called often.
  package func close() {
    core.close()
  }
}

/// What a bus tells by itself.
package enum BusEvent: Sendable {
  case signal(BusSignal)
  /// The connection has ended, by ``MessageBus/close()`` or by itself. Nothing comes after this.
  case ended(BusError)
}

/// What the thread and those who talk to it share.
final class BusCore: Sendable {
  enum Command: Sendable {
    case call(Int, BusCall)
    case forget(Int)
    case emit(BusSignal)
  }

  private struct State {
    var commands: [Command] = []
    var isClosing = false
    var end: BusError?
    /// Calls whose answers are waited for, by our own numbers.
    var waiting: [Int: Waiter<Result<[BusValue], BusError>>] = [:]
    var lastCall = 0
    var objects: [String: @Sendable (BusRequest) -> BusAnswer] = [:]
  }

  let address: BusAddress
  private let listener: @Sendable (BusEvent) -> Void
  private let wakeUp: Descriptor
  private let state = Mutex(State())

  init(_ address: BusAddress, listener: @escaping @Sendable (BusEvent) -> Void) throws(BusError) {
    self.address = address
    self.listener = listener
    let number = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard number >= 0 else { throw .noBus(errno) }
    wakeUp = Descriptor(owning: number)
  }

  // MARK: - For those who talk to the bus

  func start() throws(BusError) {
    var thread = pthread_t()
    // Unsafe: the thread takes over this reference, and gives it back when it ends.
    let reference = unsafe Unmanaged.passRetained(self)
    let result = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context {
          let core = unsafe Unmanaged<BusCore>.fromOpaque(context).takeRetainedValue()
          BusThread(core).run()
        }
        return nil
      }, reference.toOpaque())
    guard result == 0 else {
      unsafe reference.release()
      throw .noBus(result)
    }
    // Unsafe: C reads the name during the call.
    _ = unsafe pthread_setname_np(thread, "message-bus")
    pthread_detach(thread)
  }

  func call(_ call: BusCall, before deadline: Deadline) async throws(BusError) -> [BusValue] {
    let waiter = Waiter<Result<[BusValue], BusError>>()
    let (number, end) = state.withLock { state -> (Int, BusError?) in
      guard state.end == nil, !state.isClosing else { return (0, state.end ?? .noBus(ENOTCONN)) }
      state.lastCall += 1
      state.waiting[state.lastCall] = waiter
      state.commands.append(.call(state.lastCall, call))
      return (state.lastCall, nil)
    }
    if let end { throw end }
    wake()
    let ending = await waiter.wait(before: deadline)
    if case .settled(let result) = ending { return try result.get() }
    state.withLock { state in
      state.waiting[number] = nil
      if state.end == nil { state.commands.append(.forget(number)) }
    }
    wake()
    if case .timedOut = ending { throw .timedOut }
    throw .cancelled
  }

  func serve(_ path: String, _ handler: @escaping @Sendable (BusRequest) -> BusAnswer) {
    state.withLock { $0.objects[path] = handler }
  }

  func enqueue(_ command: Command) {
    state.withLock { state in
      if state.end == nil { state.commands.append(command) }
    }
    wake()
  }

  func close() {
    state.withLock { $0.isClosing = true }
    wake()
  }

  private func wake() {
    _ = eventfd_write(wakeUp.number, 1)
  }

  // MARK: - For the thread

  /// The descriptor that becomes readable when there is something to do.
  var wakeUpNumber: Int32 { wakeUp.number }

  /// What is to be done; nil when nothing more is after it.
  func take() -> (commands: [Command], isClosing: Bool) {
    var count: eventfd_t = 0
    // Unsafe: C writes the count into this frame.
    _ = unsafe eventfd_read(wakeUp.number, &count)
    return state.withLock { state in
      defer { state.commands = [] }
      return (state.commands, state.isClosing)
    }
  }

  func settle(_ number: Int, _ result: Result<[BusValue], BusError>) {
    let waiter = state.withLock { $0.waiting.removeValue(forKey: number) }
    waiter?.settle(result)
  }

  func answer(_ request: BusRequest) -> BusAnswer {
    let handler = state.withLock { $0.objects[request.path] }
    return handler?(request) ?? .unknown(request)
  }

  func tell(_ signal: BusSignal) {
    listener(.signal(signal))
  }

  func end(_ error: BusError) {
    let waiting = state.withLock { state in
      state.end = error
      defer {
        state.waiting = [:]
        state.commands = []
        state.objects = [:]
      }
      return state.waiting
    }
    // First: those whose calls end ask what has become of the bus.
    listener(.ended(error))
    for waiter in waiting.values { waiter.settle(.failure(error)) }
  }
}
