internal import Glibc
internal import Synchronization

/// Does work that waits for a disk or takes long, one piece after the other, on a thread of its own, so that no task's thread
/// waits. The thread is there while there is work.
package final class WorkThread: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isRunning = false
  }

  private let state = Mutex(State())

  /// A thread that has nothing to do yet.
  package init() {}

  /// Does the work, after what was handed in before, and answers what it answers.
  package func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      let starts = state.withLock { state in
        state.jobs.append { continuation.resume(returning: body()) }
        defer { state.isRunning = true }
        return !state.isRunning
      }
      if starts { start() }
    }
  }

  private func start() {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    unsafe pthread_attr_setstacksize(&attributes, 1_048_576)
    // Unsafe: the new thread takes over the one reference; where there is none, it is taken back here.
    let argument = unsafe Unmanaged.passRetained(self)
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        let owner = unsafe Unmanaged<WorkThread>.fromOpaque(argument!).takeRetainedValue()
        // Signals are for the program's own threads.
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        owner.work()
        return nil
      }, argument.toOpaque())
    guard result != 0 else { return }
    // The system has no thread left: the work is done here, late rather than never.
    unsafe argument.release()
    work()
  }

  private func work() {
    while let job = next() { job() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.jobs.isEmpty else {
        state.isRunning = false
        return nil
      }
      return state.jobs.removeFirst()
    }
  }
}
