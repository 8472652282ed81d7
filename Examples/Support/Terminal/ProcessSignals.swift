internal import Glibc
internal import Synchronization

// Signals belong to the whole process, so what a handler needs has to be global: the writing end of the pipe through which
// it tells a thread. It is set before a handler is installed and never closed, so that a late handler does no harm.
private let signalPipe = Atomic<Int32>(-1)
private let signalPipeEnds = Result { try Descriptor.pipe() }
private let isListening = Atomic(false)

private func noteSignal(_ number: Int32) {
  let savedError = errno
  var byte = UInt8(truncatingIfNeeded: number)
  // One byte of this frame, and `write` is allowed in a signal handler (signal-safety(7)).
  _ = unsafe write(signalPipe.load(ordering: .acquiring), &byte, 1)
  errno = savedError
}

/// Listens to signals and tells of them on a thread of its own, where everything is allowed.
///
/// The second of the same request to end, such as Ctrl-C twice, ends the process at once, the terminal restored: a program
/// that hangs can be stopped. One object at a time may listen.
package final class ProcessSignals: Sendable {
  private struct Saved: @unchecked Sendable {
    // SAFETY: a plain C structure that is written once and only handed back to the system.
    let number: Int32
    let action: sigaction
  }

  private let saved: [Saved]
  private let isStopped = Atomic(false)
  private let reader: DescriptorReader

  /// Listens from now until ``stop()``.
  ///
  /// - Precondition: no other object of this process listens.
  package init(
    _ signals: [ProcessSignal] = ProcessSignal.ending,
    handler: @escaping @Sendable (ProcessSignal) -> Void
  ) throws(SystemFault) {
    let (reading, writing) = try Self.openPipe()
    let isFree = isListening.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
    precondition(isFree.exchanged, "someone listens to signals already")
    signalPipe.store(writing, ordering: .releasing)
    let seen = Mutex<Set<ProcessSignal>>([])
    reader = DescriptorReader(reading) { input in
      guard case .bytes(let bytes) = input else { return }
      for signal in bytes.compactMap({ ProcessSignal(number: Int32($0)) }) {
        if signal.endsProgram, signal != .hangup, !seen.withLock({ $0.insert(signal).inserted }) {
          TerminalRescue.restore()
          die(of: signal.number)
        }
        handler(signal)
      }
    }
    var old: [Saved] = []
    for signal in signals {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = noteSignal
      action.sa_flags = SA_RESTART
      var previous = sigaction()
      // Both structures are ours for the time of the call.
      _ = unsafe sigaction(signal.number, &action, &previous)
      // What nohup and background shells ignore stays ignored.
      if signal.endsProgram, isIgnored(previous) {
        _ = unsafe sigaction(signal.number, &previous, nil)
      } else {
        old.append(Saved(number: signal.number, action: previous))
      }
    }
    saved = old
  }

  /// A stream of the requests to end, for programs without a screen.
  package static func requestsToEnd() throws(SystemFault) -> (ProcessSignals, AsyncStream<ProcessSignal>) {
    let (stream, continuation) = AsyncStream.makeStream(of: ProcessSignal.self, bufferingPolicy: .bufferingNewest(8))
    return (try ProcessSignals { continuation.yield($0) }, stream)
  }

  /// Stops listening; the former actions hold again, but for one signal, if it is named: that is ignored from now on.
  package func stop(ignoring ignored: ProcessSignal? = nil) {
    guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    for entry in saved {
      var action = entry.action
      if entry.number == ignored?.number { unsafe action.__sigaction_handler.sa_handler = SIG_IGN }
      // The structure is the one that the system gave.
      _ = unsafe sigaction(entry.number, &action, nil)
    }
    reader.stop()
    isListening.store(false, ordering: .releasing)
  }

  private static func openPipe() throws(SystemFault) -> (reading: Int32, writing: Int32) {
    switch signalPipeEnds {
    case .success(let ends): return ends
    case .failure(let fault): throw fault as? SystemFault ?? SystemFault(EMFILE)
    }
  }

  deinit {
    stop()
  }
}

private func isIgnored(_ action: sigaction) -> Bool {
  // Both are compared as addresses and never called.
  unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}

extension ProcessSignal {
  /// Ends the process by the signal's own action, so that the shell sees what happened.
  package func endProcess() -> Never {
    die(of: number)
  }
}

/// Ends the process by the signal's own action, so that the shell sees what happened.
func die(of number: Int32) -> Never {
  _ = signal(number, SIG_DFL)
  var set = sigset_t()
  // The set is ours for the time of the calls.
  unsafe sigemptyset(&set)
  unsafe sigaddset(&set, number)
  _ = unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  raise(number)
  _exit(128 + number)
}
