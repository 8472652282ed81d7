public import CheckIn
public import CheckInCore

/// A ledger in one SQLite file, with a write-ahead log: durable, and shared by every kiosk that opens the same file.
///
/// It keeps D1–D7. A thread of its own does all the work on the file. Requests that arrive while a transaction is being
/// written to the disk share the next one, and each gets its own answer when that is durable; when it fails, all of them
/// get the error and nothing of them is stored. The file, and the two that SQLite puts beside it while it is open, belong
/// to their owner alone (mode 0600). It must lie on a local disk.
///
/// The file may be read with any SQLite program. A kiosk that is killed leaves nothing to repair: the next start
/// recovers by itself.
public final class SQLiteLedger: LedgerHistory, ListNumbers {
  private let queue: LedgerQueue

  /// Opens the ledger at `path`, and makes it where there is none; its folder must exist.
  ///
  /// - Parameters:
  ///   - path: The file. Names with a meaning of their own to SQLite, such as `:memory:`, have none here.
  ///   - busyTimeout: How long a call waits for another program that holds the file, before it throws
  ///     ``LedgerError/Code/locked``. A call that arrives while another waits may wait twice as long.
  ///   - checksIntegrity: Whether to look through the whole file first, which takes time with its size.
  /// - Throws: ``LedgerError/Code/corrupt``, ``LedgerError/Code/version``, ``LedgerError/Code/readOnly``,
  ///   ``LedgerError/Code/full``, ``LedgerError/Code/locked`` or ``LedgerError/Code/unavailable``, in words that say what to do.
  public init(
    path: String, busyTimeout: Duration = .seconds(5), checksIntegrity: Bool = false
  ) async throws(LedgerError) {
    let queue = LedgerQueue()
    self.queue = queue
    try await withCheckedContinuation { opened in
      LedgerThread.start(
        LedgerThread.Start(
          path: path, busyTimeout: busyTimeout, checksIntegrity: checksIntegrity, queue: queue, opened: opened))
    }.get()
  }

  deinit {
    queue.beginClose()
  }

  /// How many requests the ledger has taken so far, answered or not.
  package var requestCount: UInt64 { queue.requestCount }

  /// How an attendee and request stand.
  public func standing(
    ofAttendee attendee: String, token: Digest, request: RequestID
  ) async throws(LedgerError) -> LedgerStanding {
    try await read { .standing(attendee: attendee, token: token, request: request, $0) }
  }

  /// Admits the attendee, unless the request has its answer or the attendee is in already; durable when it returns.
  public func admit(_ entry: LedgerEntry) async throws(LedgerError) -> Answer {
    try await write { .admit(entry, $0) }
  }

  /// Stores a refusal, unless the request has its answer already; durable when it returns. A waiting time is kept in
  /// whole seconds, rounded up.
  public func refuse(_ entry: LedgerEntry, answer: Answer) async throws(LedgerError) -> Answer {
    precondition(!answer.isSuccess, "a refusal that is a success")
    return try await write { .refuse(entry, answer, $0) }
  }

  /// Stores a failure; durable when it returns.
  public func record(_ failure: LedgerFailure) async throws(LedgerError) {
    try await write { .record(failure, $0) }
  }

  /// The failures at or after `time`, oldest first.
  public func failures(since time: WallTime) async throws(LedgerError) -> [LedgerFailure] {
    try await read { .failures(since: time, $0) }
  }

  /// At most `limit` records whose number is larger than `number`, in order.
  public func records(after number: Int64, limit: Int) async throws(LedgerError) -> [LedgerRecord] {
    precondition(limit > 0, "no records asked for")
    return try await read { .records(after: number, limit: limit, $0) }
  }

  /// Notes that a list with this number is there; durable when it returns.
  public func raise(_ list: Digest, to number: Int64) async throws(LedgerError) -> Int64 {
    precondition(number >= 0, "a list with a number below zero")
    return try await write { .raise(list, number, $0) }
  }

  /// Looks through the whole file.
  ///
  /// - Throws: ``LedgerError/Code/corrupt`` when it is damaged.
  public func checkIntegrity() async throws(LedgerError) {
    try await read { .check($0) }
  }

  /// Finishes what was begun, closes the file and ends the thread. Later calls throw ``LedgerError/Code/closed``.
  public func close() async {
    queue.beginClose()
    await queue.waitUntilFinished()
  }

  private func read<Value: Sendable>(
    _ request: (Reply<Value>) -> ReadRequest
  ) async throws(LedgerError) -> Value {
    try await withCheckedContinuation { reply in
      let request = request(reply)
      if !queue.submit(request) { request.fail(SQLiteLedger.closed) }
    }.get()
  }

  private func write<Value: Sendable>(
    _ request: (Reply<Value>) -> WriteRequest
  ) async throws(LedgerError) -> Value {
    try await withCheckedContinuation { reply in
      let request = request(reply)
      if !queue.submit(request) { request.reply(.failure(SQLiteLedger.closed)) }
    }.get()
  }

  private static let closed = LedgerError(.closed, "The ledger was closed.")
}
