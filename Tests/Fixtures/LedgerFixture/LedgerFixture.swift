internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import SQLiteLedger

/// A program of its own for tests of the ledger that need one: to kill, to race, to take rights or room from.
///
/// Each answer is one line on standard output, written at once: what the line says, somebody was told.
@main
enum LedgerFixture {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 3, let count = arguments.last.flatMap({ UInt64($0) }) else {
      say("usage: LedgerFixture admit|full|unprivileged|leaks PATH COUNT")
      exit(64)
    }
    let path = arguments[arguments.startIndex + 1]
    do throws(LedgerError) {
      switch arguments.first {
      case "admit": try await admit(path, count)
      case "full": try await full(path, count)
      case "unprivileged":
        if geteuid() == 0 { setuid(65_534) }
        try await admit(path, count)
      case "leaks": try await leaks(path, count)
      default: exit(64)
      }
    } catch {
      say("error \(error.code) \(error.message)")
    }
  }

  /// Admits the attendees 0..<count in random order, sixteen at a time, each under a new request.
  private static func admit(_ path: String, _ count: UInt64) async throws(LedgerError) {
    let ledger = try await SQLiteLedger(path: path, busyTimeout: .seconds(30))
    say("open")
    let all = (0..<count).shuffled()
    await withTaskGroup(of: Void.self) { group in
      for lane in 0..<16 {
        group.addTask {
          for index in stride(from: lane, to: all.count, by: 16) {
            await attempt(all[index], in: ledger)
          }
        }
      }
    }
    await ledger.close()
    say("done")
  }

  /// Admits until the limit on the size of files is met, makes room, and goes on.
  private static func full(_ path: String, _ count: UInt64) async throws(LedgerError) {
    let ledger = try await SQLiteLedger(path: path)
    setFileSizeLimit(256 * 1_024)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask { await attempt(number, in: ledger) }
      }
    }
    _ = try await ledger.standing(ofAttendee: "0", token: entry(0).token, request: entry(0).request)
    say("still reads")
    setFileSizeLimit(nil)
    await attempt(count, in: ledger)
    await ledger.close()
  }

  /// Opens and closes, and opens and drops, again and again; says how many descriptors and threads that left behind.
  private static func leaks(_ path: String, _ count: UInt64) async throws(LedgerError) {
    let before = try await SQLiteLedger(path: path)
    await before.close()
    settle { entries(of: "/proc/self/task") }
    let (descriptors, threads) = (entries(of: "/proc/self/fd"), entries(of: "/proc/self/task"))
    for number in 0..<count {
      let ledger = try await SQLiteLedger(path: path)
      await attempt(number, in: ledger)
      if number % 2 == 0 { await ledger.close() }
    }
    settle { entries(of: "/proc/self/fd") + entries(of: "/proc/self/task") - descriptors - threads }
    say("descriptors \(entries(of: "/proc/self/fd") - descriptors)")
    // The runtime may start a thread of its own meanwhile, but not one for each ledger.
    say("threads \(entries(of: "/proc/self/task") - threads <= 4 ? 0 : 1)")
  }

  private static func attempt(_ number: UInt64, in ledger: SQLiteLedger) async {
    do throws(LedgerError) {
      let answer = try await ledger.admit(entry(number))
      say("\(answer.reason.name) \(number)")
    } catch {
      say("failed \(number) \(error.code)")
    }
  }

  /// An entry under a request that no other process or call has.
  private static func entry(_ number: UInt64) -> LedgerEntry {
    let request = UInt64.random(in: 0...UInt64.max).bigEndianBytes + UInt64.random(in: 0...UInt64.max).bigEndianBytes
    return LedgerEntry(
      attendee: "\(number)", token: Digest([UInt8](repeating: 7, count: 32))!, request: RequestID(Bytes16(request)!),
      gate: "Hall A", kiosk: "kiosk \(getpid())", time: WallTime(secondsSince1970: Int64(time(nil))))
  }

  private static func setFileSizeLimit(_ bytes: UInt?) {
    var limit = rlimit(rlim_cur: bytes ?? UInt.max, rlim_max: UInt.max)
    // Unsafe: the system reads one struct.
    let result = unsafe setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit)
    precondition(result == 0)
  }

  /// How many entries a folder of the system's has.
  private static func entries(of folder: String) -> Int {
    guard let handle = unsafe opendir(folder) else { return 0 }
    defer { unsafe closedir(handle) }
    var count = 0
    while unsafe readdir(handle) != nil {
      count += 1
    }
    return count
  }

  /// Waits, two seconds at most, until a number stays the same or is down to zero.
  private static func settle(_ number: () -> Int) {
    for _ in 0..<200 {
      let first = number()
      if first <= 0 { return }
      usleep(10_000)
    }
  }

  private static func say(_ line: String) {
    var text = "\(line)\n"
    text.withUTF8 { bytes in
      _ = unsafe write(1, bytes.baseAddress, bytes.count)
    }
  }
}
