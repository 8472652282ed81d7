internal import CheckIn
internal import CheckInCore
internal import Glibc

/// The thread that does all the work on one ledger's file, so that no caller's thread waits for a disk or a lock.
enum LedgerThread {
  /// At most so many requests are one transaction, so that the first of them need not wait for too many others.
  private static let largestTransaction = 1_024

  /// What a new thread is told.
  struct Start: Sendable {
    let path: String
    let busyTimeout: Duration
    let checksIntegrity: Bool
    let queue: LedgerQueue
    let opened: Reply<Void>
  }

  /// Starts the thread, which opens the ledger, says how that went, and serves the queue until it is closed.
  static func start(_ start: Start) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    unsafe pthread_attr_setstacksize(&attributes, 512 * 1_024)
    let box = Box(start)
    // Unsafe: the new thread takes over the one reference; where there is none, it is taken back here.
    let argument = unsafe Unmanaged.passRetained(box)
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        let box = unsafe Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue()
        LedgerThread.run(box.start)
        return nil
      }, argument.toOpaque())
    guard result != 0 else { return }
    unsafe argument.release()
    start.queue.finish()
    start.opened.resume(
      returning: .failure(.unavailable(start.path, "the system has no thread left: \(systemText(result))")))
  }

  private final class Box: Sendable {
    let start: Start

    init(_ start: Start) {
      self.start = start
    }
  }

  private static func run(_ start: Start) {
    blockSignals()
    do throws(LedgerError) {
      let connection = try Schema.open(
        path: start.path, busyTimeout: start.busyTimeout, checksIntegrity: start.checksIntegrity)
      let store = try LedgerStore(connection)
      start.opened.resume(returning: .success(()))
      serve(start.queue, with: store, busyTimeout: start.busyTimeout)
    } catch {
      start.queue.beginClose()
      start.opened.resume(returning: .failure(error))
    }
    start.queue.finish()
  }

  private static func blockSignals() {
    // Signals are for the program's own threads. Those that a fault of this thread raises stay as they are; SIGXFSZ is
    // not one of them: with it blocked, a limit on the size of files is an error like a full disk.
    var signals = sigset_t()
    unsafe sigfillset(&signals)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP] {
      unsafe sigdelset(&signals, fault)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Does what the queue holds until it is closed and empty.
  private static func serve(_ queue: LedgerQueue, with store: LedgerStore, busyTimeout: Duration) {
    while let batch = queue.next() {
      // One wait for others' locks for the whole batch, however many requests it has (D5).
      let deadline = ContinuousClock.now + busyTimeout
      var locked: LedgerError?
      for read in batch.reads {
        if let locked {
          read.fail(locked)
        } else if let error = read.answer(from: store), error.code == .locked {
          locked = error
        }
      }
      var rest = batch.writes[...]
      while !rest.isEmpty {
        let writes = rest.prefix(largestTransaction)
        rest = rest.dropFirst(largestTransaction)
        if let error = locked {
          for write in writes {
            write.reply(.failure(error))
          }
          continue
        }
        store.connection.setBusyTimeout(deadline - ContinuousClock.now)
        locked = perform(Array(writes), joinedBy: queue, with: store)
      }
      if !batch.writes.isEmpty { store.connection.setBusyTimeout(busyTimeout) }
    }
  }

  /// Stores all of these in one transaction, and those that come meanwhile: who was just answered often asks again. Then
  /// replies to each; answers with the error when another program's lock was in the way.
  private static func perform(
    _ first: [WriteRequest], joinedBy queue: LedgerQueue, with store: LedgerStore
  ) -> LedgerError? {
    var writes = first
    var answers: [WriteRequest.Outcome] = []
    do throws(LedgerError) {
      try store.transaction { () throws(LedgerError) in
        while answers.count < writes.count {
          for write in writes[answers.count...] { answers.append(try write.perform(in: store)) }
          writes += queue.takeWrites(atMost: max(0, largestTransaction - writes.count))
        }
      }
    } catch {
      for write in writes {
        write.reply(.failure(error))
      }
      return error.code == .locked ? error : nil
    }
    for (write, answer) in zip(writes, answers) {
      write.reply(.success(answer))
    }
    return nil
  }
}
