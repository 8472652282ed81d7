import CheckIn
import CheckInCore
import Foundation
import SQLiteLedger
import TestSupport
import Testing

@Suite struct TroubleTests {
  func code(_ call: () async throws(LedgerError) -> Void) async -> LedgerError.Code? {
    do throws(LedgerError) {
      try await call()
      return nil
    } catch {
      return error.code
    }
  }

  @Test(
    "D4, D5: while another program writes, calls end as locked, reading goes on, and later all is well",
    .timeLimit(.minutes(1)))
  func locked() async throws {
    try await TemporaryFolder.with { folder in
      let ledger = try await SQLiteLedger(path: folder.path("l"), busyTimeout: .milliseconds(50))
      _ = try await ledger.admit(.sample("grace", request: 9))
      let other = try RawDatabase(folder.path("l"))
      try other.execute("BEGIN IMMEDIATE")
      let start = ContinuousClock.now
      let codes = await withTaskGroup(of: LedgerError.Code?.self) { group in
        for number in 0..<UInt64(100) {
          group.addTask {
            await code { () throws(LedgerError) in _ = try await ledger.admit(.sample(request: number)) }
          }
        }
        return await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(codes == [.locked])
      #expect(ContinuousClock.now - start < .seconds(20))
      #expect(try await ledger.records().count == 1)
      try other.execute("ROLLBACK")
      #expect(try await ledger.admit(.sample()).isSuccess)
      #expect(try await ledger.records().count == 2)
      await ledger.close()
    }
  }

  @Test("Requests that come before a transaction is written are in it", .timeLimit(.minutes(1)))
  func groupCommit() async throws {
    try await TemporaryFolder.with { folder in
      let ledger = try await SQLiteLedger(path: folder.path("l"), busyTimeout: .seconds(30))
      let other = try RawDatabase(folder.path("l"))
      try other.execute("BEGIN IMMEDIATE")
      let before = try folder.read("l-wal").count
      let count = UInt64(400)
      try await withThrowingTaskGroup(of: Answer.self) { group in
        for number in 0..<count {
          group.addTask { try await ledger.admit(.sample("attendee \(number)", request: number)) }
        }
        while !Task.isCancelled, ledger.requestCount < count { await Task.yield() }
        try other.execute("ROLLBACK")
        for try await answer in group {
          #expect(answer.isSuccess)
        }
      }
      // The first of them have waited in their transaction, and the others have come meanwhile.
      #expect(commits(inLog: try folder.read("l-wal").dropFirst(before)) == 1)
      await ledger.close()
    }
  }

  /// How many of a log's frames end a transaction: those that say how large the file is then (SQLite's file format, §4.1).
  private func commits(inLog frames: ArraySlice<UInt8>) -> Int {
    let frame = 24 + 4_096
    #expect(frames.count % frame == 0 && !frames.isEmpty)
    return stride(from: frames.startIndex, to: frames.endIndex, by: frame).count {
      frames[$0 + 4..<$0 + 8].contains { $0 != 0 }
    }
  }

  @Test(
    "D4: a full disk fails those who ask, stores nothing for them, and later the ledger goes on",
    .timeLimit(.minutes(1)))
  func full() async throws {
    try await TemporaryFolder.with { folder in
      let lines = try Child("full", folder.path("l"), 3_000).lines()
      let admitted = Set(lines.numbers("admitted"))
      let failed = Set(lines.numbers("failed"))
      #expect(failed.count > 100 && admitted.count > 100 && admitted.count + failed.count == 3_001)
      #expect(lines.filter { $0.hasPrefix("failed") }.allSatisfy { $0.hasSuffix(" full") })
      #expect(lines.contains("still reads"))
      #expect(admitted.contains(3_000), "there was room again, and the ledger did not go on")
      let ledger = try await SQLiteLedger(path: folder.path("l"), checksIntegrity: true)
      #expect(Set(try await ledger.records().compactMap { Int($0.entry.attendee) }) == admitted)
      await ledger.close()
    }
  }

  @Test(
    "A ledger that is moved or deleted under the kiosk takes no more admissions", .timeLimit(.minutes(1)),
    arguments: [true, false])
  func moved(isDeleted: Bool) async throws {
    try await TemporaryFolder.with { folder in
      let ledger = try await SQLiteLedger(path: folder.path("l"))
      _ = try await ledger.admit(.sample())
      if isDeleted {
        try FileManager.default.removeItem(atPath: folder.path("l"))
      } else {
        try FileManager.default.moveItem(atPath: folder.path("l"), toPath: folder.path("m"))
      }
      #expect(
        await code { () throws(LedgerError) in _ = try await ledger.admit(.sample("b", request: 2)) } == .unavailable)
      await ledger.close()
    }
  }

  @Test("A waiting time is kept in whole seconds, never shorter", .timeLimit(.minutes(1)))
  func wholeSeconds() async throws {
    try await TemporaryFolder.with { folder in
      let ledger = try await SQLiteLedger(path: folder.path("l"))
      let answer = Answer(.tooManyAttempts, retryAfter: .milliseconds(1_001))
      #expect(try await ledger.refuse(.sample(), answer: answer).retryAfter == .seconds(2))
      #expect(try await ledger.refuse(.sample(), answer: answer).retryAfter == .seconds(2))
      await ledger.close()
    }
  }
}
