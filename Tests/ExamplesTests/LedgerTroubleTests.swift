internal import CSQLite
internal import Foundation
internal import SQLiteLedger
internal import TestSupport
internal import Testing

@Suite("A kiosk whose ledger is in trouble", .serialized)
struct LedgerTroubleTests {
  @Test("does not begin with a file that is no ledger, and leaves it alone", .bounded)
  func noLedger() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let text = String(repeating: "This is a diary, and no database.\n", count: 200)
      let path = try folder.write(text, to: "ledger")
      let end = try await ChildProcess.finish(
        "kiosk", ChildProcess.kioskArguments(event, ledger: path) + ["--json"])
      #expect(end.exit == .status(74))
      #expect(end.errors == "kiosk: “\(path)” is not a ledger: it is no SQLite database. Give another path.\n")
      #expect(end.output == "")
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
  }

  @Test("does not begin with a damaged ledger, and says what to do", .bounded)
  func damaged() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let path = folder.path("ledger")
      let ledger = try await SQLiteLedger(path: path)
      await ledger.close()
      let bytes = try Data(contentsOf: URL(filePath: path))
      // All but the header, as after a disk that lost its sectors.
      try (bytes.prefix(100) + Data(repeating: 0x5a, count: bytes.count - 100)).write(to: URL(filePath: path))
      let end = try await ChildProcess.finish(
        "kiosk", ChildProcess.kioskArguments(event, ledger: path) + ["--json"])
      #expect(end.exit == .status(74))
      #expect(end.errors.hasPrefix("kiosk: The ledger “\(path)” is damaged"))
      #expect(end.errors.contains("restore the newest backup or begin a new ledger"))
    }
  }

  @Test("does not begin where it may not write", .bounded)
  func readOnly() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let path = folder.path("ledger")
      let ledger = try await SQLiteLedger(path: path)
      await ledger.close()
      try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
      let arguments = try [BuiltProgram.path("kiosk")] + ChildProcess.kioskArguments(event, ledger: path) + ["--json"]
      // The superuser could write it all the same, so it gives that right away.
      let end = try await ChildProcess.finish(
        "/usr/bin/setpriv", (geteuid() == 0 ? ["--bounding-set=-dac_override"] : []) + arguments)
      #expect(end.exit == .status(74))
      #expect(end.errors.contains("The ledger “\(path)”, or its folder, cannot be written."))
    }
  }

  @Test("does not begin in a folder that is not there", .bounded)
  func noFolder() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let end = try await ChildProcess.finish(
        "kiosk", ChildProcess.kioskArguments(event, ledger: folder.path("gone/ledger")) + ["--json"])
      #expect(end.exit == .status(74))
      #expect(end.errors.contains("its folder does not exist"))
    }
  }

  @Test("does not begin while another program holds the ledger for itself", .bounded)
  func lockedAtStart() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let path = folder.path("ledger")
      let ledger = try await SQLiteLedger(path: path)
      await ledger.close()
      let other = try ForeignDatabase(path)
      try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
      let end = try await ChildProcess.finish(
        "kiosk", ChildProcess.kioskArguments(event, ledger: path) + ["--json"])
      #expect(end.exit == .status(74))
      #expect(end.errors.contains("Another program holds the ledger “\(path)”"))
      try other.execute("ROLLBACK")
    }
  }

  @Test("R22: tells nobody true while another program holds the ledger, and goes on when it lets go", .bounded)
  func locked() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let (ada, grace) = (try event.ticket(), try event.ticket("Grace Hopper", id: "grace"))
      try await ChildProcess.kiosk(event, ledger: folder.path("ledger")) { kiosk in
        let other = try ForeignDatabase(folder.path("ledger"))
        try other.execute("BEGIN EXCLUSIVE")
        let visit = try await ChildProcess.visit(event, ada, at: kiosk.endpoint())
        #expect(visit.exit == .status(1))
        #expect(visit.reason == "internal")
        let failure = try await kiosk.event("ledger_failed")
        #expect(failure["code"] == "locked")
        #expect(failure["message"]?.contains("Close what has it open") == true)
        try other.execute("ROLLBACK")
        for ticket in [ada, grace] {
          let later = try await ChildProcess.visit(event, ticket, at: kiosk.endpoint())
          #expect(later.exit == .status(0))
        }
      }
    }
  }

  @Test("R22: tells nobody true when the disk is full, and goes on when there is room", .bounded)
  func full() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let tickets = try (0..<3).map { try event.ticket("Guest \($0)", id: "guest-\($0)") }
      try await ChildProcess.kiosk(event, ledger: folder.path("ledger")) { kiosk in
        let endpoint = try kiosk.endpoint()
        let before = try await ChildProcess.visit(event, tickets[0], at: endpoint)
        #expect(before.exit == .status(0))
        // Room for one page: a full disk, as far as the program can tell.
        try await LedgerTroubleTests.limitFiles(of: kiosk, to: "4096:unlimited")
        for (ticket, reason) in zip(tickets, ["already_admitted", "internal", "internal"]) {
          let failures = kiosk.events("ledger_failed").count
          let visit = try await ChildProcess.visit(event, ticket, at: endpoint)
          #expect(visit.exit == .status(1))
          #expect(visit.reason == reason)
          // What could not be stored is said.
          try await kiosk.event("ledger_failed", failures + 1)
        }
        let failure = try await kiosk.event("ledger_failed")
        #expect(failure["code"] == "full")
        #expect(failure["message"]?.contains("Make room") == true)
        #expect(kiosk.events("checked_in").compactMap { $0["attendee"] } == ["guest-0"])

        try await LedgerTroubleTests.limitFiles(of: kiosk, to: "unlimited")
        for (ticket, reason) in zip(tickets, ["already_admitted", "admitted", "admitted"]) {
          let later = try await ChildProcess.visit(event, ticket, at: endpoint)
          #expect(later.reason == reason)
        }
      }
    }
  }

  private static func limitFiles(of kiosk: ChildProcess, to limit: String) async throws {
    let end = try await ChildProcess.finish("/usr/bin/prlimit", ["--fsize=\(limit)", "--pid", "\(kiosk.pid)"])
    try #require(end.exit == .status(0), "\(end.errors)")
  }
}

/// Another program that has the ledger's file open.
///
/// SAFETY: the library is asked to serialise the calls, so any thread may make them.
@safe final class ForeignDatabase: @unchecked Sendable {
  private let handle: OpaquePointer

  init(_ path: String) throws {
    var handle: OpaquePointer?
    let result = unsafe sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, nil)
    guard result == SQLITE_OK, let handle = unsafe handle else { throw ProcessFailure("\(path) does not open") }
    unsafe self.handle = handle
  }

  deinit {
    unsafe sqlite3_close_v2(handle)
  }

  func execute(_ sql: String) throws {
    let result = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw ProcessFailure("“\(sql)” failed with \(result)") }
  }
}
