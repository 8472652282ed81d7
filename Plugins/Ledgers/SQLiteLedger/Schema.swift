internal import CSQLite
internal import CheckIn
internal import Glibc

/// What a ledger's file looks like, and how it gets there.
enum Schema {
  /// “ChkL”: says in the file's header, and to the program `file`, whose database it is.
  static let applicationID: Int64 = 0x4368_6b4c

  /// What makes version n + 1 of version n. What has been released never changes; new versions come behind.
  static let migrations = [
    """
    CREATE TABLE answers (
      number INTEGER PRIMARY KEY,
      token BLOB NOT NULL CHECK (length(token) = 32),
      request BLOB NOT NULL CHECK (length(request) = 16),
      attendee TEXT NOT NULL,
      gate TEXT NOT NULL,
      kiosk TEXT NOT NULL,
      time INTEGER NOT NULL,
      reason INTEGER NOT NULL,
      admitted_at INTEGER,
      admitted_gate TEXT,
      retry_after INTEGER,
      UNIQUE (token, request)
    ) STRICT;
    -- One admission per attendee, whoever writes (D2). Reason 0 is an admission.
    CREATE UNIQUE INDEX admissions ON answers (attendee) WHERE reason = 0;
    CREATE TABLE failures (
      number INTEGER PRIMARY KEY,
      token BLOB NOT NULL CHECK (length(token) = 32),
      kiosk TEXT NOT NULL,
      time INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX failures_by_time ON failures (time);
    """,
    """
    CREATE TABLE lists (
      list BLOB NOT NULL PRIMARY KEY CHECK (length(list) = 32),
      number INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
  ]

  /// Opens the ledger at `path`; makes it, for its owner alone, where there is none.
  static func open(path: String, busyTimeout: Duration, checksIntegrity: Bool) throws(LedgerError) -> Connection {
    try create(path)
    let connection = try Connection(path: path)
    let deadline = ContinuousClock.now + busyTimeout
    connection.setBusyTimeout(busyTimeout)
    let version = try version(of: connection)
    guard !connection.isReadOnly else { throw LedgerError.readOnly(path, nil) }
    try enterWAL(connection, before: deadline)
    // FULL: the log reaches the disk before a transaction has ended (D1).
    try connection.execute(
      """
      PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
      PRAGMA journal_size_limit = 16777216; PRAGMA temp_store = MEMORY;
      """)
    if version < Int64(migrations.count) { try migrate(connection) }
    if checksIntegrity { try check(connection) }
    return connection
  }

  /// Looks through the whole file.
  ///
  /// - Throws: ``LedgerError/Code/corrupt`` when something in it is not as it should be.
  static func check(_ connection: Connection) throws(LedgerError) {
    let finding = try connection.text("PRAGMA quick_check(1)")
    guard finding == "ok" else {
      throw LedgerError(
        .corrupt,
        """
        The ledger “\(connection.path)” is damaged (\(finding)). Keep the file, and restore the newest backup or begin \
        a new ledger.
        """)
    }
  }

  /// The ledger's version, zero for a new file, after a look at whether it is a ledger at all.
  private static func version(of connection: Connection) throws(LedgerError) -> Int64 {
    // One statement: between two, another program may have made the ledger.
    let header = try Statement(
      """
      SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
        FROM pragma_application_id, pragma_user_version
      """, on: connection)
    guard try header.step() else { return 0 }
    let (application, version) = (header.integer(0), header.integer(1))
    if application == 0, version == 0, header.integer(2) == 0 { return 0 }
    guard application == applicationID, version > 0 else {
      throw LedgerError(
        .corrupt, "“\(connection.path)” is not a ledger: it is a database of another program. Give another path.")
    }
    guard version <= Int64(migrations.count) else {
      throw LedgerError(
        .version,
        """
        The ledger “\(connection.path)” has version \(version), and this program knows versions up to \
        \(migrations.count). Use the newer program.
        """)
    }
    return version
  }

  private static func migrate(_ connection: Connection) throws(LedgerError) {
    try connection.execute("BEGIN IMMEDIATE")
    do throws(LedgerError) {
      // Again, now that nobody else writes: another program may have been faster.
      let version = try version(of: connection)
      for next in migrations.dropFirst(Int(version)) {
        try connection.execute(next)
      }
      try connection.execute(
        "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(migrations.count); COMMIT")
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Switches to the write-ahead log. The library does not wait for others by itself here.
  private static func enterWAL(_ connection: Connection, before deadline: ContinuousClock.Instant) throws(LedgerError) {
    while true {
      do throws(LedgerError) {
        guard try connection.text("PRAGMA journal_mode = WAL") == "wal" else {
          throw LedgerError.unavailable(
            connection.path, "its file system cannot share memory between programs. Put it on a local disk")
        }
        return
      } catch {
        guard error.code == .locked, ContinuousClock.now < deadline else { throw error }
        usleep(5_000)
      }
    }
  }

  /// Makes an empty file that only its owner can read and write, unless there is one.
  ///
  /// Made by `mknod`, which opens nothing: closing a descriptor of a file would release the locks that another ledger
  /// of this process has on it.
  private static func create(_ path: String) throws(LedgerError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw LedgerError(.unavailable, "The path of the ledger is empty. Give one.")
    }
    guard unsafe mknod(path, S_IFREG | 0o600, 0) != 0 else {
      try syncFolder(of: path)
      return
    }
    switch errno {
    case EEXIST: return
    case ENOENT: throw LedgerError.unavailable(path, "its folder does not exist. Make the folder first")
    case ENOTDIR: throw LedgerError.unavailable(path, "a part of the path is a file and not a folder")
    case EACCES, EPERM, EROFS:
      throw LedgerError.readOnly(path, SQLiteFailure(result: SQLITE_CANTOPEN, systemError: errno))
    case ENOSPC, EDQUOT: throw LedgerError.full(path, SQLiteFailure(result: SQLITE_FULL, systemError: errno))
    default: throw LedgerError.unavailable(path, systemText(errno))
    }
  }

  /// Makes the new name durable: without this a crash may leave a ledger that nobody finds.
  private static func syncFolder(of path: String) throws(LedgerError) {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A folder that may be entered and not listed cannot be opened; the file is there all the same.
    guard descriptor >= 0 else { return }
    defer { Glibc.close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw LedgerError.unavailable(path, "its folder cannot be written to the disk: \(systemText(errno))")
    }
  }
}
