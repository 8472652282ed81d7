internal import Glibc
internal import Synchronization

/// One thread that runs the tasks which prefer it, one piece at a time. It shows whether a call blocks its thread, and
/// counts the pieces of a task, so that the task can be stopped at each of them.
final class LoneThread: TaskExecutor, Sendable {
  private struct State {
    var jobs: [UnownedJob] = []
    var count = 0
    var isEnding = false
  }

  /// Called on the thread before each job, with its number from 1.
  private let beforeJob: @Sendable (Int) -> Void
  private let state = Mutex(State())
  private let bell = Semaphore()

  init(beforeJob: @escaping @Sendable (Int) -> Void = { _ in }) {
    self.beforeJob = beforeJob
    // Unsafe: the thread takes over this reference, and gives it back when it ends.
    let reference = unsafe Unmanaged.passRetained(self)
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context { unsafe Unmanaged<LoneThread>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, reference.toOpaque())
    guard result == 0 else {
      unsafe reference.release()
      preconditionFailure("the system starts no thread: \(result)")
    }
    pthread_detach(thread)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isElsewhere = state.withLock { state in
      guard !state.isEnding else { return true }
      state.jobs.append(job)
      return false
    }
    if isElsewhere { globalConcurrentExecutor.enqueue(job) } else { bell.signal() }
  }

  /// Ends the thread. What still comes runs on the global pool.
  func end() {
    state.withLock { $0.isEnding = true }
    bell.signal()
  }

  private func run() {
    while true {
      bell.wait()
      let (jobs, first, isEnding) = state.withLock { state in
        defer {
          state.count += state.jobs.count
          state.jobs = []
        }
        return (state.jobs, state.count + 1, state.isEnding)
      }
      for (offset, job) in jobs.enumerated() {
        beforeJob(first + offset)
        // Unsafe: the reference is unowned; the thread holds the executor.
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      }
      if isEnding { return }
    }
  }
}

/// A counting semaphore of the system.
@safe
final class Semaphore: Sendable {
  // SAFETY: only the two calls below touch it, and the system lets any thread make them.
  private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

  init() {
    unsafe semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  func signal() {
    unsafe sem_post(semaphore)
  }

  func wait() {
    while unsafe sem_wait(semaphore) != 0 {}
  }
}
