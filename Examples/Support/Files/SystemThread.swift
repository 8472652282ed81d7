internal import Glibc

/// Threads of the system, for waits that would hold up a task's thread.
enum SystemThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  /// Starts a thread that nobody waits for.
  static func start(_ run: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let code = create(&thread, run)
    precondition(code == 0, "the system has no thread left")
    pthread_detach(thread)
  }

  /// Runs the body so many times at once, with the numbers from 0, and waits for all. Where the system has no more threads,
  /// the caller does the rest.
  static func runAndWait(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    var threads: [pthread_t] = []
    for number in 0..<count {
      var thread = pthread_t()
      if create(&thread, { body(number) }) == 0 {
        threads.append(thread)
      } else {
        body(number)
      }
    }
    // Each was started above and is waited for once.
    for thread in threads { pthread_join(thread, nil) }
  }

  private static func create(_ thread: inout pthread_t, _ run: @escaping @Sendable () -> Void) -> Int32 {
    // The body is handed over with one reference, which the thread takes; without a thread it is taken back.
    let body = unsafe Unmanaged.passRetained(Body(run))
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        unsafe Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    if code != 0 { unsafe body.release() }
    return code
  }
}
