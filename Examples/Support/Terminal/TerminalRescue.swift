internal import Glibc
internal import Synchronization

/// What has to be undone on a terminal when the process ends, whichever way: kept where a signal handler and `atexit` can
/// reach it without taking a lock or memory.
enum TerminalRescue {
  @unsafe private struct Record {
    var output: Int32 = -1
    var input: Int32 = -1
    var attributes = termios()
    var sequence: (pointer: UnsafeMutablePointer<UInt8>, count: Int)?
  }

  // SAFETY: written by `arm` alone, while `isArmed` is false; read by whoever turned `isArmed` from true to false.
  nonisolated(unsafe) private static let record = UnsafeMutablePointer<Record>.allocate(capacity: 1)
  private static let isArmed = Atomic(false)
  private static let isInstalled = Atomic(false)

  // SAFETY: written before the handlers that read it are installed.
  nonisolated(unsafe) private static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

  private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]

  /// Remembers what ``restore()`` shall do.
  ///
  /// - Precondition: nothing is armed.
  static func arm(input: Int32, output: Int32, attributes: termios, sequence: [UInt8]) {
    precondition(!isArmed.load(ordering: .acquiring), "two screens at once")
    let isFirst = isInstalled.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
    if isFirst.exchanged {
      unsafe record.initialize(to: Record())
      unsafe previous.initialize(repeating: sigaction(), count: 65)
      atexit { TerminalRescue.restore() }
      installCrashHandlers()
    }
    // The memory stays for the process's life: a few dozen bytes that a crash may need at any time.
    if unsafe record.pointee.sequence?.count != sequence.count {
      let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: sequence.count)
      for (index, byte) in sequence.enumerated() { unsafe memory[index] = byte }
      unsafe record.pointee.sequence = unsafe (memory, sequence.count)
    }
    unsafe record.pointee.input = input
    unsafe record.pointee.output = output
    unsafe record.pointee.attributes = attributes
    isArmed.store(true, ordering: .releasing)
  }

  /// Undoes it, once. Uses only what is allowed in a signal handler (signal-safety(7)).
  static func restore() {
    guard isArmed.compareExchange(expected: true, desired: false, ordering: .acquiringAndReleasing).exchanged
    else { return }
    if let (pointer, count) = unsafe record.pointee.sequence {
      // A terminal that takes nothing must not keep the process from ending.
      var wanted = unsafe pollfd(fd: record.pointee.output, events: Int16(POLLOUT), revents: 0)
      if unsafe poll(&wanted, 1, 500) == 1, wanted.revents & Int16(POLLOUT) != 0 {
        _ = unsafe write(record.pointee.output, pointer, count)
      }
    }
    _ = unsafe tcsetattr(record.pointee.input, TCSANOW, &record.pointee.attributes)
  }

  private static func installCrashHandlers() {
    for number in crashes {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { number in
        TerminalRescue.restore()
        // What was there before goes on with the signal as soon as this handler returns.
        _ = unsafe sigaction(number, TerminalRescue.previous + Int(number), nil)
        raise(number)
      }
      _ = unsafe sigaction(number, &action, previous + Int(number))
    }
  }
}
