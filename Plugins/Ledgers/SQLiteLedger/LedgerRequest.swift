internal import CheckIn
internal import CheckInCore

/// Where the answer to a request goes: once.
typealias Reply<Value> = CheckedContinuation<Result<Value, LedgerError>, Never>

/// A request that changes nothing.
enum ReadRequest: Sendable {
  case standing(attendee: String, token: Digest, request: RequestID, Reply<LedgerStanding>)
  case failures(since: WallTime, Reply<[LedgerFailure]>)
  case records(after: Int64, limit: Int, Reply<[LedgerRecord]>)
  case check(Reply<Void>)

  /// Reads and replies; answers with the error when there was one.
  func answer(from store: LedgerStore) -> LedgerError? {
    switch self {
    case .standing(let attendee, let token, let request, let reply):
      resume(reply) { () throws(LedgerError) in
        try store.standing(ofAttendee: attendee, token: token, request: request)
      }
    case .failures(let time, let reply):
      resume(reply) { () throws(LedgerError) in try store.failures(since: time) }
    case .records(let number, let limit, let reply):
      resume(reply) { () throws(LedgerError) in try store.records(after: number, limit: limit) }
    case .check(let reply):
      resume(reply) { () throws(LedgerError) in try Schema.check(store.connection) }
    }
  }

  func fail(_ error: LedgerError) {
    switch self {
    case .standing(_, _, _, let reply): reply.resume(returning: .failure(error))
    case .failures(_, let reply): reply.resume(returning: .failure(error))
    case .records(_, _, let reply): reply.resume(returning: .failure(error))
    case .check(let reply): reply.resume(returning: .failure(error))
    }
  }

  private func resume<Value: Sendable>(
    _ reply: Reply<Value>, _ read: () throws(LedgerError) -> Value
  ) -> LedgerError? {
    do throws(LedgerError) {
      reply.resume(returning: .success(try read()))
      return nil
    } catch {
      reply.resume(returning: .failure(error))
      return error
    }
  }
}

/// A request that stores something.
enum WriteRequest: Sendable {
  case admit(LedgerEntry, Reply<Answer>)
  case refuse(LedgerEntry, Answer, Reply<Answer>)
  case record(LedgerFailure, Reply<Void>)
  case raise(Digest, Int64, Reply<Int64>)

  /// What a caller is told once it is durable.
  enum Outcome {
    case answer(Answer)
    case number(Int64)
    case done

    fileprivate var answer: Answer? { if case .answer(let answer) = self { answer } else { nil } }
    fileprivate var number: Int64? { if case .number(let number) = self { number } else { nil } }
  }

  /// Stores, inside a transaction.
  func perform(in store: LedgerStore) throws(LedgerError) -> Outcome {
    switch self {
    case .admit(let entry, _): return .answer(try store.admit(entry))
    case .refuse(let entry, let answer, _): return .answer(try store.refuse(entry, answer))
    case .record(let failure, _):
      try store.record(failure)
      return .done
    case .raise(let list, let number, _): return .number(try store.raise(list, to: number))
    }
  }

  /// Replies with what ``perform(in:)`` answered, or with an error.
  func reply(_ result: Result<Outcome, LedgerError>) {
    switch self {
    case .admit(_, let reply), .refuse(_, _, let reply):
      // Both always have an answer when they succeed.
      reply.resume(returning: result.map { $0.answer! })
    case .record(_, let reply): reply.resume(returning: result.map { _ in })
    // It always has a number when it succeeds.
    case .raise(_, _, let reply): reply.resume(returning: result.map { $0.number! })
    }
  }
}
