internal import CSystemd
internal import Glibc

/// The thread that has a connection of sd-bus to itself, from its beginning to its end.
///
/// sd-bus is asked for whole messages, and nothing is registered with it: no C function calls back into this program.
@safe
struct BusThread: ~Copyable {
  /// After so many messages those who wait for the thread get their turn.
  private static let mostAtOnce = 64

  private let core: BusCore
  // Unsafe: C's connection; made, used and freed by this thread alone. Nil where it could not be made.
  private var bus: OpaquePointer?
  /// Which of our calls a message of ours was.
  private var calls: [UInt64: Int] = [:]

  init(_ core: BusCore) {
    self.core = core
    unsafe bus = nil
  }

  deinit {
    // Unsafe: nobody else has the connection.
    _ = unsafe sd_bus_close_unref(bus)
  }

  /// The thread's whole life.
  consuming func run() {
    let result = connect()
    guard result >= 0 else { return core.end(.noBus(-result)) }
    while true {
      let (commands, isClosing) = core.take()
      for command in commands { perform(command) }
      let progress = process()
      guard progress >= 0 else { return core.end(.noBus(-progress)) }
      if isClosing { return core.end(.noBus(ENOTCONN)) }
      guard progress == 0 else { continue }
      let waited = wait()
      guard waited >= 0 else { return core.end(.noBus(-waited)) }
    }
  }

  private mutating func connect() -> Int32 {
    switch core.address {
    case .system:
      // Unsafe: C makes the connection, and begins to open it without waiting.
      return unsafe sd_bus_open_system(&bus)
    case .at(let address):
      var result = unsafe sd_bus_new(&bus)
      guard result >= 0 else { return result }
      // Unsafe: C copies the text during the call.
      result = unsafe sd_bus_set_address(bus, address)
      guard result >= 0 else { return result }
      result = unsafe sd_bus_set_bus_client(bus, 1)
      guard result >= 0 else { return result }
      return unsafe sd_bus_start(bus)
    }
  }

  // MARK: - Out

  private mutating func perform(_ command: BusCore.Command) {
    switch command {
    case .call(let number, let call):
      do throws(BusError) {
        calls[try send(call)] = number
      } catch {
        core.settle(number, .failure(error))
      }
    case .forget(let number):
      calls = calls.filter { $0.value != number }
    case .emit(let signal):
      // What cannot be sent is missed by those who would have heard it, like any signal.
      try? send(signal)
    }
  }

  private func send(_ call: BusCall) throws(BusError) -> UInt64 {
    var message: OpaquePointer?
    // Unsafe: C makes the message and copies the texts.
    try check(
      unsafe sd_bus_message_new_method_call(bus, &message, call.destination, call.path, call.interface, call.member))
    guard let message = unsafe message else { throw .unwritable(ENOMEM) }
    defer { _ = unsafe sd_bus_message_unref(message) }
    // A service that does not run is not started by being asked.
    try check(unsafe sd_bus_message_set_auto_start(message, 0))
    try unsafe BusWriting(message).append(call.arguments)
    var cookie: UInt64 = 0
    try check(unsafe sd_bus_send(bus, message, &cookie))
    return cookie
  }

  private func send(_ signal: BusSignal) throws(BusError) {
    var message: OpaquePointer?
    // Unsafe: C makes the message and copies the texts.
    try check(unsafe sd_bus_message_new_signal(bus, &message, signal.path, signal.interface, signal.member))
    guard let message = unsafe message else { throw .unwritable(ENOMEM) }
    defer { _ = unsafe sd_bus_message_unref(message) }
    try unsafe BusWriting(message).append(signal.arguments)
    try check(unsafe sd_bus_send(bus, message, nil))
  }

  private func check(_ result: Int32) throws(BusError) {
    guard result >= 0 else { throw .unwritable(-result) }
  }

  // MARK: - In

  /// Takes messages in; positive when there may be more, negative when the connection has ended.
  private mutating func process() -> Int32 {
    for _ in 0..<Self.mostAtOnce {
      var message: OpaquePointer?
      // Unsafe: C gives a message away, which is freed here.
      let result = unsafe sd_bus_process(bus, &message)
      guard result > 0 else { return result }
      guard let message = unsafe message else { continue }
      defer { _ = unsafe sd_bus_message_unref(message) }
      unsafe take(BusIncoming(message))
    }
    return 1
  }

  private mutating func take(_ message: borrowing BusIncoming) {
    switch message.kind {
    case .answer(let cookie):
      guard let number = calls.removeValue(forKey: cookie) else { return }
      core.settle(number, message.result)
    case .signal:
      if let signal = message.signal { core.tell(signal) }
    case .request:
      if let answer = message.request.map(core.answer) { unsafe message.reply(answer, over: bus) }
    case .other: break
    }
  }

  /// Waits until there is something to do; negative when that cannot be waited for.
  private func wait() -> Int32 {
    // Unsafe: C answers about its own connection.
    let descriptor = unsafe sd_bus_get_fd(bus)
    guard descriptor >= 0 else { return descriptor }
    let events = unsafe sd_bus_get_events(bus)
    guard events >= 0 else { return events }
    var until: UInt64 = 0
    let result = unsafe sd_bus_get_timeout(bus, &until)
    guard result >= 0 else { return result }
    var polls = [
      pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0),
      pollfd(fd: core.wakeUpNumber, events: Int16(POLLIN), revents: 0),
    ]
    // Unsafe: the array is ours for the time of the call. A signal ends the wait, and it comes round again.
    _ = unsafe poll(&polls, nfds_t(polls.count), Self.milliseconds(until))
    return 0
  }

  /// How long it is until a time on the system's monotonic clock, in microseconds; all ones stand for never.
  private static func milliseconds(_ until: UInt64) -> Int32 {
    guard until != .max else { return -1 }
    var now = timespec()
    // Unsafe: C fills the structure during the call.
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    let microseconds = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1_000
    return until <= microseconds ? 0 : Int32(clamping: (until - microseconds + 999) / 1_000)
  }
}
