public import CheckIn
public import CheckInCore
internal import Synchronization

/// A ledger in the memory of one process: for demonstrations and tests.
///
/// It keeps D2–D6, and D7 as far as D1 is not needed for it. It cannot keep D1: what it holds ends with the process, and it grows with each attempt.
public final class InMemoryLedger: LedgerHistory, ListNumbers {
  private let state = Mutex(State())

  /// An empty ledger.
  public init() {}

  /// How an attendee and request stand.
  public func standing(
    ofAttendee attendee: String, token: Digest, request: RequestID
  ) async throws(LedgerError) -> LedgerStanding {
    try state.withLock { state throws(LedgerError) in
      try state.checkOpen()
      if let answer = state.answers[Attempt(token: token, request: request)] { return .answered(answer) }
      if let (time, gate) = state.admissions[Array(attendee.utf8)] { return .admitted(at: time, gate: gate) }
      return .fresh
    }
  }

  /// Admits the attendee, unless the request has its answer or the attendee is in already.
  public func admit(_ entry: LedgerEntry) async throws(LedgerError) -> Answer {
    try state.withLock { state throws(LedgerError) in
      try state.checkOpen()
      if let answer = state.answers[Attempt(entry)] { return answer }
      let attendee = Array(entry.attendee.utf8)
      if let (time, gate) = state.admissions[attendee] {
        return state.store(entry, Answer(.alreadyAdmitted, admittedAt: time, gate: gate))
      }
      state.admissions[attendee] = (entry.time, entry.gate)
      return state.store(entry, Answer(.admitted, admittedAt: entry.time, gate: entry.gate))
    }
  }

  /// Stores a refusal, unless the request has its answer already.
  public func refuse(_ entry: LedgerEntry, answer: Answer) async throws(LedgerError) -> Answer {
    precondition(!answer.isSuccess, "a refusal that is a success")
    return try state.withLock { state throws(LedgerError) in
      try state.checkOpen()
      return state.answers[Attempt(entry)] ?? state.store(entry, answer)
    }
  }

  /// Stores a failure.
  public func record(_ failure: LedgerFailure) async throws(LedgerError) {
    try state.withLock { state throws(LedgerError) in
      try state.checkOpen()
      // Behind the last that is not later: a clock that was set back must not change the order by time.
      let position = state.failures.lastIndex { $0.time <= failure.time }.map { $0 + 1 } ?? 0
      state.failures.insert(failure, at: position)
    }
  }

  /// The failures at or after `time`, oldest first.
  public func failures(since time: WallTime) async throws(LedgerError) -> [LedgerFailure] {
    try state.withLock { state throws(LedgerError) in
      try state.checkOpen()
      let later = state.failures.lastIndex { $0.time < time }.map { $0 + 1 } ?? 0
      return Array(state.failures[later...])
    }
  }

  /// At most `limit` records whose number is larger than `number`, in order.
  public func records(after number: Int64, limit: Int) async throws(LedgerError) -> [LedgerRecord] {
    precondition(limit > 0, "no records asked for")
    return try state.withLock { state throws(LedgerError) in
      try state.checkOpen()
      let start = Int(clamping: max(0, number))
      return Array(state.records.dropFirst(start).prefix(limit))
    }
  }

  /// Notes that a list with this number is there.
  public func raise(_ list: Digest, to number: Int64) async throws(LedgerError) -> Int64 {
    precondition(number >= 0, "a list with a number below zero")
    return try state.withLock { state throws(LedgerError) in
      try state.checkOpen()
      let largest = max(number, state.lists[list] ?? 0)
      state.lists[list] = largest
      return largest
    }
  }

  /// Forgets everything. Later calls throw ``LedgerError/Code/closed``.
  public func close() async {
    state.withLock { $0 = State(isClosed: true) }
  }
}

/// One token's request: what an answer belongs to (D3).
private struct Attempt: Hashable {
  let token: Digest
  let request: RequestID

  init(token: Digest, request: RequestID) {
    self.token = token
    self.request = request
  }

  init(_ entry: LedgerEntry) {
    self.init(token: entry.token, request: entry.request)
  }
}

private struct State {
  var isClosed = false
  var answers: [Attempt: Answer] = [:]
  /// By the bytes of the attendee's identifier: strings that differ in bytes may be equal, and must not be here.
  var admissions: [[UInt8]: (time: WallTime, gate: String)] = [:]
  /// By time, and in order of arrival where times are equal.
  var failures: [LedgerFailure] = []
  /// Record n stands at n − 1.
  var records: [LedgerRecord] = []
  var lists: [Digest: Int64] = [:]

  init(isClosed: Bool = false) {
    self.isClosed = isClosed
  }

  func checkOpen() throws(LedgerError) {
    guard !isClosed else { throw LedgerError(.closed, "The ledger was closed.") }
  }

  mutating func store(_ entry: LedgerEntry, _ answer: Answer) -> Answer {
    answers[Attempt(entry)] = answer
    records.append(LedgerRecord(number: Int64(records.count) + 1, entry: entry, answer: answer))
    return answer
  }
}
