internal import CPeers
internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import InMemoryLedger
internal import OpenSSLCryptography
internal import SQLiteLedger
internal import Scene

/// The signatures of one check-in that a phone confirms, both sides together, as the protocol has it: hello, request,
/// PIN, one notice, check-in request, result and two goodbyes are signed; each of them is verified, and so are the
/// kiosk's credential and the ticket.
private let needed: (made: Int32, verified: Int32) = (8, 10)

extension Workload {
  /// Whole check-ins through one kiosk, kiosk and phones in one process on two cores.
  static let checkIns = [
    Workload("check-in", on: .two) { count in try await checkIns(count, atOnce: 48, ledger: InMemoryLedger()) },
    Workload("check-in-signatures", on: .two) { count in
      try judged(evp_check_ins(2, needed.made, needed.verified, 300, count))
    },
    Workload("check-in-durable", on: .two) { count in
      try await Folder.with { folder in
        try await checkIns(count, atOnce: 64, ledger: SQLiteLedger(path: folder.path("ledger")))
      }
    },
    Workload("rows", on: .two) { count in
      try await Folder.with { folder in
        try await rows(count, atOnce: 64, into: SQLiteLedger(path: folder.path("ledger")))
      }
    },
    Workload("rows-sqlite", on: .two) { count in
      try await Folder.with { folder in
        // Unsafe: C reads the path during the call.
        try judged(unsafe sqlite_group_commit(folder.path("ledger"), 64, count))
      }
    },
    // Neither can be done without: the slower of the two, as if they cost nothing beside each other.
    Workload("check-in-durable-bound", on: .two) { count in
      let signed = try judged(evp_check_ins(2, needed.made, needed.verified, 300, count))
      return max(
        signed,
        try await Folder.with { folder in
          // Unsafe: C reads the path during the call.
          try judged(unsafe sqlite_group_commit(folder.path("ledger"), 64, count))
        })
    },
    Workload("check-in-tail", on: .two) { count in try await Latencies.tail(count) },
  ]

  private static func checkIns(_ count: Int, atOnce: Int, ledger: any Ledger) async throws -> Double {
    let hall = try await Hall(ledger: ledger)
    let (early, attendees) = (try hall.attendees(count / 10, named: "early"), try hall.attendees(count, named: "ada"))
    let each = try await hall.open { places in
      try await hall.checkIn(early, atOnce: atOnce, at: places[0])
      let watch = Stopwatch()
      try await hall.checkIn(attendees, atOnce: atOnce, at: places[0])
      return watch.nanoseconds(each: count)
    }
    await ledger.close()
    return each
  }

  /// What the ledger has to do with the same rows, alone.
  static func rows(
    _ count: Int, from first: Int = 0, atOnce: Int, into ledger: any Ledger, closes: Bool = true
  ) async throws -> Double {
    let cryptography = OpenSSLCryptography()
    let entries = (first..<first + count).map { number in
      LedgerEntry(
        attendee: "attendee-\(number)", token: cryptography.sha256([UInt8]("\(number)".utf8).span),
        request: RequestID(Bytes16(random: cryptography)), gate: "North", kiosk: "Hall A",
        time: WallTime(secondsSince1970: 1_800_000_000 + Int64(number)))
    }
    let watch = Stopwatch()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<atOnce {
        group.addTask {
          for index in stride(from: worker, to: count, by: atOnce) { _ = try await ledger.admit(entries[index]) }
        }
      }
      try await group.waitForAll()
    }
    let each = watch.nanoseconds(each: count)
    if closes { await ledger.close() }
    return each
  }
}
