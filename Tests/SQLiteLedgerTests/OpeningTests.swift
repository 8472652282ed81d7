import CheckIn
import CheckInCore
import Foundation
import SQLiteLedger
import TestSupport
import Testing

@Suite struct OpeningTests {
  func code(_ path: String, checksIntegrity: Bool = false) async -> LedgerError.Code? {
    do throws(LedgerError) {
      let ledger = try await SQLiteLedger(
        path: path, busyTimeout: .milliseconds(100), checksIntegrity: checksIntegrity)
      await ledger.close()
      return nil
    } catch {
      #expect(error.message.count > 20)
      return error.code
    }
  }

  @Test("A new ledger, and the files beside it, belong to their owner alone", .timeLimit(.minutes(1)))
  func modes() async throws {
    try await TemporaryFolder.with { folder in
      let ledger = try await SQLiteLedger(path: folder.path("l.sqlite"))
      _ = try await ledger.admit(.sample())
      #expect(try folder.mode("l.sqlite") == 0o600)
      #expect(try folder.mode("l.sqlite-wal") == 0o600)
      #expect(try folder.mode("l.sqlite-shm") == 0o600)
      await ledger.close()
      #expect(throws: (any Error).self) { try folder.mode("l.sqlite-wal") }
    }
  }

  @Test(
    "Any name of a file is that file", .timeLimit(.minutes(1)),
    arguments: [":memory:", "file:x?mode=memory", "a b#c%20d", "-l", "é.sqlite"])
  func names(name: String) async throws {
    try await TemporaryFolder.with { folder in
      let ledger = try await SQLiteLedger(path: folder.path("") + "/" + name)
      _ = try await ledger.admit(.sample())
      await ledger.close()
      #expect(try folder.read(name).count > 4096)
    }
  }

  @Test("An empty file becomes a ledger", .timeLimit(.minutes(1)))
  func emptyFile() async throws {
    try await TemporaryFolder.with { folder in
      try folder.write([], to: "l")
      #expect(await code(folder.path("l")) == nil)
      #expect(try folder.read("l").count > 0)
    }
  }

  @Test("Eight at once can begin the same new ledger", .timeLimit(.minutes(1)))
  func openAtOnce() async throws {
    try await TemporaryFolder.with { folder in
      let path = folder.path("l")
      for _ in 0..<5 {
        try? FileManager.default.removeItem(atPath: path)
        let ledgers = try await withThrowingTaskGroup(of: SQLiteLedger.self) { group in
          for _ in 0..<8 {
            group.addTask { try await SQLiteLedger(path: path) }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        for ledger in ledgers {
          _ = try await ledger.admit(.sample())
          await ledger.close()
        }
      }
    }
  }

  @Test("A file that is no database is refused and left as it was", .timeLimit(.minutes(1)), arguments: [false, true])
  func notADatabase(isLong: Bool) async throws {
    try await TemporaryFolder.with { folder in
      let text = Array(String(repeating: "token,id,name\n", count: isLong ? 1_000 : 1).utf8)
      try folder.write(text, to: "l")
      #expect(await code(folder.path("l")) == .corrupt)
      #expect(try folder.read("l") == text)
    }
  }

  @Test("A database of another program is refused and left as it was", .timeLimit(.minutes(1)))
  func foreignDatabase() async throws {
    try await TemporaryFolder.with { folder in
      for sql in ["CREATE TABLE people (name TEXT)", "PRAGMA application_id = 7", "PRAGMA user_version = 1"] {
        try? FileManager.default.removeItem(atPath: folder.path("l"))
        try RawDatabase(folder.path("l")).execute(sql)
        let before = try folder.read("l")
        #expect(await code(folder.path("l")) == .corrupt, "\(sql)")
        #expect(try folder.read("l") == before)
      }
    }
  }

  @Test("A ledger of a newer version is refused as such", .timeLimit(.minutes(1)))
  func newerVersion() async throws {
    try await TemporaryFolder.with { folder in
      #expect(await code(folder.path("l")) == nil)
      try RawDatabase(folder.path("l")).execute("PRAGMA user_version = 3")
      #expect(await code(folder.path("l")) == .version)
    }
  }

  @Test("A ledger of version 1 is made one of version 2, with all that is in it", .timeLimit(.minutes(1)))
  func olderVersion() async throws {
    try await TemporaryFolder.with { folder in
      let first = try await SQLiteLedger(path: folder.path("l"))
      let admitted = try await first.admit(.sample())
      await first.close()
      try RawDatabase(folder.path("l")).execute("DROP TABLE lists; PRAGMA user_version = 1")
      let second = try await SQLiteLedger(path: folder.path("l"))
      #expect(try await second.admit(.sample(time: 9_000)) == admitted)
      let list = LedgerEntry.sample().token
      #expect(try await second.raise(list, to: 3) == 3)
      await second.close()
    }
  }

  @Test("A damaged ledger is found when the file is looked through", .timeLimit(.minutes(1)))
  func damaged() async throws {
    try await TemporaryFolder.with { folder in
      let ledger = try await SQLiteLedger(path: folder.path("l"))
      for number in 0..<UInt64(500) {
        _ = try await ledger.refuse(.sample("attendee \(number)", request: number), answer: Answer(.expired))
      }
      try await ledger.checkIntegrity()
      await ledger.close()
      #expect(await code(folder.path("l"), checksIntegrity: true) == nil)
      var bytes = try folder.read("l")
      for index in 5 * 4096..<7 * 4096 {
        bytes[index] = 0x5a
      }
      try folder.write(bytes, to: "l")
      #expect(await code(folder.path("l"), checksIntegrity: true) == .corrupt)
      try folder.write(Array(bytes.prefix(6 * 4096)), to: "l")
      #expect(await code(folder.path("l"), checksIntegrity: true) == .corrupt)
    }
  }

  @Test("A path that leads nowhere says so", .timeLimit(.minutes(1)))
  func noPath() async throws {
    try await TemporaryFolder.with { folder in
      #expect(await code("") == .unavailable)
      #expect(await code("a\0b") == .unavailable)
      #expect(await code(folder.url.path) == .unavailable)
      #expect(await code(folder.path("none/l")) == .unavailable)
      try folder.write([], to: "file")
      #expect(await code(folder.path("file/l")) == .unavailable)
      #expect(await code(folder.path(String(repeating: "x", count: 300))) == .unavailable)
    }
  }

  @Test(
    "A file or folder that cannot be written is read_only", .timeLimit(.minutes(1)),
    arguments: [
      (0o444, 0o777), (0o666, 0o555), (nil, 0o555),
    ])
  func readOnly(file: Int?, folderMode: Int) async throws {
    try await TemporaryFolder.with { folder in
      if let file {
        #expect(await code(folder.path("l")) == nil)
        try folder.setMode(file, of: "l")
      }
      try folder.setMode(folderMode, of: "")
      let lines = try Child("unprivileged", folder.path("l"), 1).lines()
      #expect(lines.count == 1 && lines[0].hasPrefix("error read_only"), "\(lines)")
    }
  }

  @Test("Opening and closing leaves no descriptor and no thread behind, nor does dropping", .timeLimit(.minutes(1)))
  func leaks() async throws {
    try await TemporaryFolder.with { folder in
      let lines = try Child("leaks", folder.path("l"), 60).lines()
      #expect(lines.suffix(2) == ["descriptors 0", "threads 0"])
      #expect(lines.numbers("admitted").count == 60)
    }
  }
}
