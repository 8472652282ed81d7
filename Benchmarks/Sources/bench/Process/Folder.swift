internal import Glibc
internal import Scene

/// A folder of our own on a disk, which is deleted afterwards.
struct Folder {
  private let name: String

  func path(_ file: String) -> String { "\(name)/\(file)" }

  static func with<Value>(_ body: (Folder) async throws -> Value) async throws -> Value {
    // The folder for what lasts: the one for short-lived files may be in memory, where a disk's cost is not seen.
    let folder = Folder(name: "/var/tmp/checkin-bench-\(getpid())-\(UInt32.random(in: 0...UInt32.max))")
    // Unsafe: the system reads the name during the call.
    guard unsafe mkdir(folder.name, 0o700) == 0 else {
      throw BenchmarkError("No folder can be made in /var/tmp (errno \(errno)).")
    }
    defer { folder.delete() }
    return try await body(folder)
  }

  private func delete() {
    // Unsafe: the system reads the names during the calls.
    for file in ["ledger", "ledger-wal", "ledger-shm"] { unsafe _ = unlink(path(file)) }
    unsafe _ = rmdir(name)
  }
}
