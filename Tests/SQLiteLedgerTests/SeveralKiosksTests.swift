import CheckIn
import CheckInCore
import Foundation
import SQLiteLedger
import TestSupport
import Testing

@Suite struct SeveralKiosksTests {
  @Test("D2: four ledgers of one process on one file admit each attendee once", .timeLimit(.minutes(1)))
  func severalLedgers() async throws {
    try await TemporaryFolder.with { folder in
      let path = folder.path("l")
      let admitted = try await withThrowingTaskGroup(of: Int.self) { group in
        for kiosk in 0..<UInt64(4) {
          group.addTask {
            let ledger = try await SQLiteLedger(path: path, busyTimeout: .seconds(30))
            var admitted = 0
            for number in 0..<UInt64(200) {
              let answer = try await ledger.admit(
                .sample("attendee \(number)", request: kiosk << 32 | number, gate: "gate \(kiosk)"))
              admitted += answer.isSuccess ? 1 : 0
            }
            await ledger.close()
            return admitted
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(admitted == 200)
      let ledger = try await SQLiteLedger(path: path)
      let records = try await ledger.records()
      #expect(records.count == 800 && records.count { $0.answer.isSuccess } == 200)
      await ledger.close()
    }
  }

  @Test("D2: four programs on one file admit each attendee once", .timeLimit(.minutes(1)))
  func severalPrograms() async throws {
    try await TemporaryFolder.with { folder in
      let children = try (0..<4).map { _ in try Child("admit", folder.path("l"), 300) }
      let lines = children.flatMap { $0.lines() }
      #expect(lines.numbers("admitted").sorted() == Array(0..<300))
      #expect(lines.numbers("already_admitted").count == 900)
      #expect(lines.count { $0 == "done" } == 4)
    }
  }

  @Test(
    "R22: kill -9 at any moment: nobody who was told “admitted” is missing, nobody is admitted twice",
    .timeLimit(.minutes(2)))
  func killed() async throws {
    try await TemporaryFolder.with { folder in
      var told: [Int] = []
      var kills = 0
      for round in 0..<40 {
        let child = try Child("admit", folder.path("l"), 20_000)
        // From before the file is open up to some hundred admissions after, and then at any instruction.
        let first = child.firstLines(round % 5 == 0 ? 0 : Int.random(in: 1...200))
        usleep(UInt32.random(in: 0..<5_000))
        child.kill()
        let lines = child.lines(after: first)
        if !lines.contains("done") { kills += 1 }
        #expect(!lines.contains { $0.hasPrefix("error") || $0.hasPrefix("failed") }, "\(lines)")
        told += lines.numbers("admitted")
      }
      #expect(kills > 20 && told.count > 500, "the program was killed too late or too early to mean anything")
      #expect(Set(told).count == told.count, "somebody was told twice")
      let ledger = try await SQLiteLedger(path: folder.path("l"), checksIntegrity: true)
      let kept = try await ledger.records().filter(\.answer.isSuccess).compactMap { Int($0.entry.attendee) }
      #expect(Set(kept).count == kept.count, "somebody is in twice")
      #expect(Set(told).subtracting(kept).isEmpty, "somebody who was told is missing")
      await ledger.close()
    }
  }
}
