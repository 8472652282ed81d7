package import CheckIn
package import CheckInCore

/// What every ledger must keep, D1–D7 by number. Each ledger's tests run all of it.
package struct LedgerRule: Sendable, CustomStringConvertible {
  /// The rule's number and the case, as a sentence.
  package let description: String
  /// Whether it is about ledgers that outlive their process only.
  package let needsDurability: Bool
  private let body: @Sendable (LedgerUnderTest) async throws -> Void

  init(
    _ description: String, needsDurability: Bool = false,
    _ body: @escaping @Sendable (LedgerUnderTest) async throws -> Void
  ) {
    self.description = description
    self.needsDurability = needsDurability
    self.body = body
  }

  /// Checks the rule with a ledger that is empty.
  package func check(_ ledger: LedgerUnderTest) async throws {
    try await body(ledger)
  }
}

/// How the contract opens ledgers.
package struct LedgerUnderTest: Sendable {
  /// Opens a ledger on the same store each time; the first time it is empty.
  package let open: @Sendable () async throws -> any LedgerHistory & ListNumbers
  /// Whether what was stored is there when the store is opened again.
  package let isDurable: Bool

  /// A way to open ledgers.
  package init(isDurable: Bool, open: @escaping @Sendable () async throws -> any LedgerHistory & ListNumbers) {
    self.open = open
    self.isDurable = isDurable
  }
}

/// A rule was broken.
package struct BrokenRule: Error, CustomStringConvertible {
  package let description: String
}

/// Fails with both values unless they are equal.
package func same<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String = "") throws {
  guard found == wanted else { throw BrokenRule(description: "\(what) \(found) is not \(wanted)") }
}

extension LedgerEntry {
  /// An entry with most things chosen.
  package static func sample(
    _ attendee: String = "ada", token: UInt8 = 1, request: UInt64 = 1, gate: String = "Hall A", time: Int64 = 1_000
  ) -> LedgerEntry {
    LedgerEntry(
      attendee: attendee, token: Digest([UInt8](repeating: token, count: 32))!,
      request: RequestID(Bytes16([UInt8](repeating: 0, count: 8) + request.bigEndianBytes)!), gate: gate,
      kiosk: "kiosk 1", time: WallTime(secondsSince1970: time))
  }
}

extension LedgerRule {
  /// All of them.
  package static let all: [LedgerRule] = decisions + concurrent + reading + numbers + ends

  private static let decisions: [LedgerRule] = [
    LedgerRule("D2: the first attempt is admitted, with its own time and gate") { store in
      let ledger = try await store.open()
      let entry = LedgerEntry.sample()
      try same(try await ledger.standing(entry), .fresh)
      let admitted = Answer(.admitted, admittedAt: entry.time, gate: "Hall A")
      try same(try await ledger.admit(entry), admitted)
      try same(try await ledger.standing(entry), .answered(admitted))
      try same(
        try await ledger.standing(.sample(request: 2)), .admitted(at: entry.time, gate: "Hall A"))
      await ledger.close()
    },
    LedgerRule("D2: a second attempt of an admitted attendee gets the first one's time and gate") { store in
      let ledger = try await store.open()
      _ = try await ledger.admit(.sample())
      let later = LedgerEntry.sample(token: 2, request: 2, gate: "Hall B", time: 2_000)
      let already = Answer(.alreadyAdmitted, admittedAt: WallTime(secondsSince1970: 1_000), gate: "Hall A")
      try same(try await ledger.admit(later), already)
      try same(try await ledger.standing(later), .answered(already))
      await ledger.close()
    },
    LedgerRule("D2: attendees differ by every byte of their identifiers") { store in
      let ledger = try await store.open()
      let names = ["", "ada", "Ada", "ada ", "ada\0", "ada\0b", "\u{e9}", "e\u{301}", "名"]
      for (index, name) in names.enumerated() {
        let answer = try await ledger.admit(.sample(name, request: UInt64(index)))
        try same(answer.reason, .admitted, name)
      }
      try same(try await ledger.records().map { Array($0.entry.attendee.utf8) }, names.map { Array($0.utf8) })
      await ledger.close()
    },
    LedgerRule("D3: an admission asked for again under its request is the same admission (R18)") { store in
      let ledger = try await store.open()
      let first = try await ledger.admit(.sample())
      try same(try await ledger.admit(.sample(gate: "Hall B", time: 2_000)), first)
      try same(try await ledger.refuse(.sample(), answer: Answer(.cancelled)), first)
      try same(try await ledger.records().count, 1)
      await ledger.close()
    },
    LedgerRule("D3: a refused request stays refused, and a new request may be admitted") { store in
      let ledger = try await store.open()
      let refused = Answer(.tooManyAttempts, retryAfter: .seconds(30))
      try same(try await ledger.refuse(.sample(), answer: refused), refused)
      try same(try await ledger.refuse(.sample(), answer: Answer(.wrongGate)), refused)
      try same(try await ledger.admit(.sample()), refused)
      try same(try await ledger.standing(.sample()), .answered(refused))
      try same(try await ledger.standing(.sample(request: 2)), .fresh)
      try same(try await ledger.admit(.sample(request: 2)).reason, .admitted)
      await ledger.close()
    },
    LedgerRule("D3: the same request identifier under another token is another request") { store in
      let ledger = try await store.open()
      _ = try await ledger.refuse(.sample(token: 1), answer: Answer(.wrongGate))
      try same(try await ledger.standing(.sample(token: 2)), .fresh)
      try same(try await ledger.admit(.sample(token: 2)).reason, .admitted)
      await ledger.close()
    },
    LedgerRule("D3: every reason and every part of an answer is kept") { store in
      let ledger = try await store.open()
      var wanted: [Answer] = []
      for reason in Reason.allCases where reason != .admitted {
        let answer = Answer(
          reason, admittedAt: WallTime(secondsSince1970: -1), gate: "Tor \(reason.rawValue)", retryAfter: .seconds(7))
        wanted.append(answer)
        try same(try await ledger.refuse(.sample(request: UInt64(reason.rawValue)), answer: answer), answer)
      }
      try same(try await ledger.records().map(\.answer), wanted)
      await ledger.close()
    },
  ]

  private static let concurrent: [LedgerRule] = [
    LedgerRule("D2: of 200 attempts at once for one attendee exactly one is admitted") { store in
      let ledger = try await store.open()
      let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
        for number in 0..<UInt64(200) {
          group.addTask { try await ledger.admit(.sample(request: number, time: Int64(number))) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      try same(answers.count { $0.isSuccess }, 1)
      try same(answers.count { $0.reason == .alreadyAdmitted }, 199)
      try same(Set(answers.map(\.admittedAt)).count, 1)
      await ledger.close()
    },
    LedgerRule("D3, D5: of 100 admissions and 100 refusals of one request at once one decides for all") { store in
      let ledger = try await store.open()
      let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
        for _ in 0..<100 {
          group.addTask { try await ledger.admit(.sample()) }
          group.addTask { try await ledger.refuse(.sample(), answer: Answer(.cancelled)) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      try same(Set(answers).count, 1)
      try same(try await ledger.records().map(\.answer), [answers[0]])
      await ledger.close()
    },
    LedgerRule("D5: a thousand calls of every kind at once all get their own answers") { store in
      let ledger = try await store.open()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<UInt64(250) {
          let name = "attendee \(number)"
          let entry = LedgerEntry.sample(name, request: number, gate: "Gate \(number)", time: Int64(number))
          group.addTask { try same(try await ledger.admit(entry).gate, "Gate \(number)") }
          group.addTask { _ = try await ledger.standing(entry) }
          let other = LedgerEntry.sample(name, token: 2, request: number)
          let answer = Answer(.wrongGate, gate: "\(number)")
          group.addTask { try same(try await ledger.refuse(other, answer: answer), answer) }
          group.addTask {
            try await ledger.record(
              LedgerFailure(token: other.token, kiosk: "k\(number)", time: WallTime(secondsSince1970: Int64(number))))
          }
        }
        try await group.waitForAll()
      }
      try same(try await ledger.records().count, 500)
      try same(try await ledger.failures(since: WallTime(secondsSince1970: 0)).count, 250)
      await ledger.close()
    },
  ]

  private static let reading: [LedgerRule] = [
    LedgerRule("Failures come back from a time on, oldest first (R3)") { store in
      let ledger = try await store.open()
      try same(try await ledger.failures(since: WallTime(secondsSince1970: .min)), [])
      let failures = [30, 10, 20, 10, -5].enumerated().map { index, time in
        LedgerFailure(
          token: LedgerEntry.sample(token: UInt8(index)).token, kiosk: "kiosk \(index)",
          time: WallTime(secondsSince1970: Int64(time)))
      }
      for failure in failures {
        try await ledger.record(failure)
      }
      let order = [4, 1, 3, 2, 0].map { failures[$0] }
      try same(try await ledger.failures(since: WallTime(secondsSince1970: .min)), order)
      try same(try await ledger.failures(since: WallTime(secondsSince1970: 10)), Array(order.dropFirst()))
      try same(try await ledger.failures(since: WallTime(secondsSince1970: 11)), Array(order.suffix(2)))
      try same(try await ledger.failures(since: WallTime(secondsSince1970: 31)), [])
      await ledger.close()
    },
    LedgerRule("D6: records come in the order of storing, each once, in pieces of any size") { store in
      let ledger = try await store.open()
      var wanted: [LedgerEntry] = []
      for number in 0..<UInt64(7) {
        let entry = LedgerEntry.sample("attendee \(number % 3)", request: number, time: 100 - Int64(number))
        wanted.append(entry)
        if number % 2 == 0 {
          _ = try await ledger.admit(entry)
        } else {
          _ = try await ledger.refuse(entry, answer: Answer(.expired))
        }
      }
      let all = try await ledger.records()
      try same(all.map(\.entry), wanted)
      try same(all.map(\.answer.isSuccess), [true, false, true, false, true, false, false])
      for limit in 1...8 {
        var pieces: [LedgerRecord] = []
        while true {
          let piece = try await ledger.records(after: pieces.last?.number ?? 0, limit: limit)
          guard !piece.isEmpty else { break }
          guard piece.count <= limit else { throw BrokenRule(description: "more than the limit") }
          pieces += piece
        }
        try same(pieces, all, "limit \(limit)")
      }
      try same(try await ledger.records(after: .max, limit: 1), [])
      try same(try await ledger.records(after: .min, limit: 1), Array(all.prefix(1)))
      await ledger.close()
    },
  ]

  private static let ends: [LedgerRule] = [
    LedgerRule("D4: after close every call says so; closing is for anyone, any number of times") { store in
      let ledger = try await store.open()
      _ = try await ledger.admit(.sample())
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<10 {
          group.addTask { await ledger.close() }
        }
      }
      await ledger.close()
      let time = WallTime(secondsSince1970: 0)
      try await closed { _ = try await ledger.admit(.sample()) }
      try await closed { _ = try await ledger.refuse(.sample(), answer: Answer(.expired)) }
      try await closed { _ = try await ledger.standing(.sample()) }
      try await closed { _ = try await ledger.failures(since: time) }
      try await closed {
        try await ledger.record(LedgerFailure(token: LedgerEntry.sample().token, kiosk: "k", time: time))
      }
      try await closed { _ = try await ledger.records() }
    },
    LedgerRule("D1: what was answered is there when the ledger is opened again (R18, R22)", needsDurability: true) {
      store in
      let first = try await store.open()
      let admitted = try await first.admit(.sample(time: 5_000))
      let refused = try await first.refuse(.sample("grace", token: 2), answer: Answer(.busy, retryAfter: .seconds(3)))
      let failure = LedgerFailure(
        token: LedgerEntry.sample().token, kiosk: "k", time: WallTime(secondsSince1970: 9))
      try await first.record(failure)
      let records = try await first.records()
      await first.close()

      let second = try await store.open()
      try same(try await second.records(), records)
      try same(try await second.failures(since: WallTime(secondsSince1970: 0)), [failure])
      try same(try await second.admit(.sample(time: 6_000)), admitted)
      try same(try await second.refuse(.sample("grace", token: 2), answer: Answer(.expired)), refused)
      try same(try await second.admit(.sample(request: 9)).reason, .alreadyAdmitted)
      try same(try await second.admit(.sample("grace", token: 2, request: 9)).reason, .admitted)
      await second.close()
    },
    LedgerRule("D5: what was begun before close gets a true answer") { store in
      let ledger = try await store.open()
      let results = await withTaskGroup(of: Result<Answer, any Error>.self) { group in
        for number in 0..<UInt64(100) {
          group.addTask {
            do { return .success(try await ledger.admit(.sample("a\(number)", request: number))) } catch {
              return .failure(error)
            }
          }
        }
        group.addTask {
          await ledger.close()
          return .success(Answer(.cancelled))
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      var admitted = 0
      for result in results {
        switch result {
        case .success(let answer): admitted += answer.isSuccess ? 1 : 0
        case .failure(let error as LedgerError): try same(error.code, .closed)
        case .failure(let error): throw error
        }
      }
      guard store.isDurable else { return }
      let again = try await store.open()
      try same(try await again.records().count, admitted)
      await again.close()
    },
  ]

  private static func closed(_ call: () async throws -> Void) async throws {
    do {
      try await call()
    } catch let error as LedgerError {
      try same(error.code, .closed)
      return
    }
    throw BrokenRule(description: "a closed ledger answered")
  }
}

extension Ledger {
  fileprivate func standing(_ entry: LedgerEntry) async throws(LedgerError) -> LedgerStanding {
    try await standing(ofAttendee: entry.attendee, token: entry.token, request: entry.request)
  }
}
