internal import CSQLite
internal import CheckIn
internal import CheckInCore

/// The ledger's statements, prepared once. Used by one thread; knows nothing of tasks or queues.
final class LedgerStore {
  let connection: Connection
  private let begin: Statement
  private let commit: Statement
  private let insert: Statement
  private let answerOfRequest: Statement
  private let admissionOfAttendee: Statement
  private let insertFailure: Statement
  private let failuresSince: Statement
  private let recordsAfter: Statement
  private let raiseNumber: Statement

  init(_ connection: Connection) throws(LedgerError) {
    self.connection = connection
    begin = try Statement("BEGIN IMMEDIATE", on: connection)
    commit = try Statement("COMMIT", on: connection)
    insert = try Statement(
      """
      INSERT INTO answers
        (token, request, attendee, gate, kiosk, time, reason, admitted_at, admitted_gate, retry_after)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO NOTHING
      """, on: connection)
    answerOfRequest = try Statement(
      """
      SELECT reason, admitted_at, admitted_gate, retry_after FROM answers WHERE token = ?1 AND request = ?2
      """, on: connection)
    admissionOfAttendee = try Statement(
      "SELECT admitted_at, admitted_gate FROM answers WHERE attendee = ?1 AND reason = 0", on: connection)
    insertFailure = try Statement(
      "INSERT INTO failures (token, kiosk, time) VALUES (?1, ?2, ?3)", on: connection)
    failuresSince = try Statement(
      "SELECT token, kiosk, time FROM failures WHERE time >= ?1 ORDER BY time, number", on: connection)
    recordsAfter = try Statement(
      """
      SELECT reason, admitted_at, admitted_gate, retry_after, number, token, request, attendee, gate, kiosk, time
        FROM answers WHERE number > ?1 ORDER BY number LIMIT ?2
      """, on: connection)
    raiseNumber = try Statement(
      """
      INSERT INTO lists (list, number) VALUES (?1, ?2)
        ON CONFLICT (list) DO UPDATE SET number = max(number, excluded.number) RETURNING number
      """, on: connection)
  }

  /// Runs `body` as one transaction: all of it is durable when this returns, and none of it is stored when it throws.
  func transaction(_ body: () throws(LedgerError) -> Void) throws(LedgerError) {
    guard !connection.hasMoved else {
      throw LedgerError(
        .unavailable,
        """
        The ledger “\(connection.path)” was moved or deleted while it was in use. Nothing was stored. Put the file back, \
        and start again.
        """)
    }
    try begin.run()
    do throws(LedgerError) {
      try body()
      try commit.run()
    } catch {
      connection.rollBack()
      // The log may hold the frames of a commit whose last step failed: cut them off, so that no later recovery
      // finds what the callers were told is not stored (D4).
      connection.setBusyTimeout(.zero)
      try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      throw error
    }
  }

  func standing(
    ofAttendee attendee: String, token: Digest, request: RequestID
  ) throws(LedgerError) -> LedgerStanding {
    if let answer = try answer(token: token, request: request) { return .answered(answer) }
    if let (time, gate) = try admission(of: attendee) { return .admitted(at: time, gate: gate) }
    return .fresh
  }

  /// Admits, or finds out why not. To be called inside a transaction.
  func admit(_ entry: LedgerEntry) throws(LedgerError) -> Answer {
    let admitted = Answer(.admitted, admittedAt: entry.time, gate: entry.gate)
    if try store(entry, admitted) { return admitted }
    if let answer = try answer(token: entry.token, request: entry.request) { return answer }
    guard let (time, gate) = try admission(of: entry.attendee) else { throw inconsistent() }
    let already = Answer(.alreadyAdmitted, admittedAt: time, gate: gate)
    guard try store(entry, already) else { throw inconsistent() }
    return already
  }

  /// Refuses, or finds the earlier answer. To be called inside a transaction.
  func refuse(_ entry: LedgerEntry, _ answer: Answer) throws(LedgerError) -> Answer {
    if try store(entry, answer) { return answer.inWholeSeconds }
    guard let earlier = try self.answer(token: entry.token, request: entry.request) else { throw inconsistent() }
    return earlier
  }

  /// Stores a failure. To be called inside a transaction.
  func record(_ failure: LedgerFailure) throws(LedgerError) {
    insertFailure.bind(1, blob: failure.token.bytes)
    insertFailure.bind(2, text: failure.kiosk)
    insertFailure.bind(3, failure.time.secondsSince1970)
    try insertFailure.run()
  }

  /// Raises a list's number, or finds a larger one; answers it. To be called inside a transaction.
  func raise(_ list: Digest, to number: Int64) throws(LedgerError) -> Int64 {
    raiseNumber.bind(1, blob: list.bytes)
    raiseNumber.bind(2, number)
    defer { raiseNumber.reset() }
    guard try raiseNumber.step() else { throw inconsistent() }
    let largest = raiseNumber.integer(0)
    // A statement that returns rows has done its work when there is no further one.
    _ = try raiseNumber.step()
    return largest
  }

  func failures(since time: WallTime) throws(LedgerError) -> [LedgerFailure] {
    failuresSince.bind(1, time.secondsSince1970)
    defer { failuresSince.reset() }
    var result: [LedgerFailure] = []
    while try failuresSince.step() {
      guard let token = Digest(failuresSince.blob(0)) else { throw inconsistent() }
      result.append(
        LedgerFailure(
          token: token, kiosk: failuresSince.text(1), time: WallTime(secondsSince1970: failuresSince.integer(2))))
    }
    return result
  }

  func records(after number: Int64, limit: Int) throws(LedgerError) -> [LedgerRecord] {
    let statement = recordsAfter
    statement.bind(1, number)
    statement.bind(2, Int64(limit))
    defer { statement.reset() }
    var result: [LedgerRecord] = []
    while try statement.step() {
      guard let token = Digest(statement.blob(5)), let request = Bytes16(statement.blob(6)) else {
        throw inconsistent()
      }
      let entry = LedgerEntry(
        attendee: statement.text(7), token: token, request: RequestID(request), gate: statement.text(8),
        kiosk: statement.text(9), time: WallTime(secondsSince1970: statement.integer(10)))
      result.append(LedgerRecord(number: statement.integer(4), entry: entry, answer: try readAnswer(statement)))
    }
    return result
  }

  /// Whether the answer was stored: false when the request has one, or another admission is in the way.
  private func store(_ entry: LedgerEntry, _ answer: Answer) throws(LedgerError) -> Bool {
    insert.bind(1, blob: entry.token.bytes)
    insert.bind(2, blob: entry.request.value.bytes)
    insert.bind(3, text: entry.attendee)
    insert.bind(4, text: entry.gate)
    insert.bind(5, text: entry.kiosk)
    insert.bind(6, entry.time.secondsSince1970)
    insert.bind(7, Int64(answer.reason.rawValue))
    insert.bind(8, answer.admittedAt?.secondsSince1970)
    insert.bind(9, text: answer.gate)
    insert.bind(10, answer.inWholeSeconds.retryAfter?.components.seconds)
    try insert.run()
    return connection.changes == 1
  }

  private func answer(token: Digest, request: RequestID) throws(LedgerError) -> Answer? {
    answerOfRequest.bind(1, blob: token.bytes)
    answerOfRequest.bind(2, blob: request.value.bytes)
    defer { answerOfRequest.reset() }
    return try answerOfRequest.step() ? try readAnswer(answerOfRequest) : nil
  }

  private func admission(of attendee: String) throws(LedgerError) -> (WallTime, String)? {
    admissionOfAttendee.bind(1, text: attendee)
    defer { admissionOfAttendee.reset() }
    guard try admissionOfAttendee.step() else { return nil }
    return (WallTime(secondsSince1970: admissionOfAttendee.integer(0)), admissionOfAttendee.text(1))
  }

  /// Reads the first four columns.
  private func readAnswer(_ statement: Statement) throws(LedgerError) -> Answer {
    guard let number = UInt8(exactly: statement.integer(0)), let reason = Reason(rawValue: number) else {
      throw inconsistent()
    }
    return Answer(
      reason, admittedAt: statement.optionalInteger(1).map { WallTime(secondsSince1970: $0) },
      gate: statement.optionalText(2), retryAfter: statement.optionalInteger(3).map { .seconds($0) })
  }

  private func inconsistent() -> LedgerError {
    LedgerError(
      .corrupt,
      """
      The ledger “\(connection.path)” holds something that this program never writes. Keep the file, and restore the \
      newest backup or begin a new ledger.
      """)
  }
}

extension Answer {
  /// The same answer with its waiting time rounded up to whole seconds, as it is kept.
  fileprivate var inWholeSeconds: Answer {
    guard let retryAfter, retryAfter.components.attoseconds > 0 else { return self }
    return Answer(
      reason, admittedAt: admittedAt, gate: gate, retryAfter: .seconds(retryAfter.components.seconds + 1))
  }
}
