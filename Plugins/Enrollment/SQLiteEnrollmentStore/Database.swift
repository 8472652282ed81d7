internal import CSQLite
internal import Enrollment
internal import EnrollmentCore
internal import Glibc

/// One open database, used by one thread at a time.
///
/// SAFETY: every call comes from the store's thread, which does one piece of work after the other.
@safe final class Database: @unchecked Sendable {
  private let handle: OpaquePointer
  private let path: String

  /// “ChkE”: says in the file's header whose database it is.
  private static let applicationID: Int64 = 0x4368_6b45
  /// How long another program's lock is waited for, in milliseconds.
  private static let busyTimeout: Int32 = 5_000

  /// Opens the file, and makes it, for its owner alone, where there is none.
  init(_ path: String) throws(EnrollmentStoreError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw EnrollmentStoreError("The path of the records is empty.") }
    // A relative path gets a dot in front, so that names such as “:memory:” are files like all others.
    let path = path.hasPrefix("/") ? path : "./\(path)"
    // Made before the library could make it with another mode.
    guard unsafe mknod(path, S_IFREG | 0o600, 0) == 0 || errno == EEXIST else {
      throw EnrollmentStoreError(
        "The records “\(path)” cannot be made. Is their folder there, and may this user write it?")
    }
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let result = unsafe sqlite3_open_v2(path, &handle, flags, nil)
    guard result == SQLITE_OK, let handle = unsafe handle else {
      unsafe sqlite3_close_v2(handle)
      throw EnrollmentStoreError("The records “\(path)” cannot be opened (SQLite: \(result)).")
    }
    unsafe self.handle = handle
    self.path = path
    unsafe sqlite3_busy_timeout(handle, Database.busyTimeout)
    try execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
      PRAGMA secure_delete = ON;
      """)
    try transaction { () throws(EnrollmentStoreError) in try prepare() }
  }

  deinit {
    unsafe sqlite3_close_v2(handle)
  }

  /// Does `body` in one transaction, which is durable when this returns; a failure stores nothing.
  func transaction<Value>(_ body: () throws(EnrollmentStoreError) -> Value) throws(EnrollmentStoreError) -> Value {
    guard !hasMoved else {
      throw EnrollmentStoreError(
        "The records “\(path)” were moved or deleted while they were in use. Nothing was stored. Put the file back, and start "
          + "again.")
    }
    try execute("BEGIN IMMEDIATE")
    do throws(EnrollmentStoreError) {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      // The library rolls back by itself after some errors, such as a full disk.
      if unsafe sqlite3_get_autocommit(handle) == 0 { _ = unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      forgetFailedCommit()
      throw error
    }
  }

  /// The log may hold a commit whose last step failed: cuts it off, so that no later start finds what the callers were told is
  /// not stored (E3).
  private func forgetFailedCommit() {
    unsafe sqlite3_busy_timeout(handle, 0)
    _ = unsafe sqlite3_exec(handle, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil)
    unsafe sqlite3_busy_timeout(handle, Database.busyTimeout)
  }

  /// Whether the path does not lead to the open file any more.
  private var hasMoved: Bool {
    var moved: Int32 = 0
    // Unsafe: the library writes one `int`.
    let result = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
    return result == SQLITE_OK && moved != 0
  }

  /// Runs statements that answer nothing.
  func execute(_ sql: String) throws(EnrollmentStoreError) {
    let result = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw error(result) }
  }

  /// A statement.
  func query(_ sql: String) throws(EnrollmentStoreError) -> Query {
    var pointer: OpaquePointer?
    let result = unsafe sqlite3_prepare_v2(handle, sql, -1, &pointer, nil)
    guard result == SQLITE_OK, let pointer = unsafe pointer else { throw error(result) }
    return unsafe Query(pointer, self)
  }

  func error(_ result: Int32) -> EnrollmentStoreError {
    // Unsafe: a constant string of the library's.
    let text = unsafe String(cString: sqlite3_errstr(result))
    switch result & 0xff {
    case SQLITE_FULL: return EnrollmentStoreError("The disk of “\(path)” is full. Nothing was stored. Make room.")
    case SQLITE_BUSY, SQLITE_LOCKED:
      return EnrollmentStoreError("Another program holds “\(path)”. Nothing was stored. Wait until it is done.")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      return EnrollmentStoreError("“\(path)” is damaged, or no database. Keep the file, and restore the newest backup.")
    default: return EnrollmentStoreError("The records “\(path)” failed (SQLite: \(text)).")
    }
  }

  private func prepare() throws(EnrollmentStoreError) {
    let header = try query("SELECT application_id, user_version FROM pragma_application_id, pragma_user_version")
    guard try header.step() else { return }
    let (application, version) = (header.integer(0), header.integer(1))
    if application == 0, version == 0 {
      try execute(Schema.first)
      try execute(Schema.second)
      return try execute("PRAGMA application_id = \(Database.applicationID); PRAGMA user_version = 2")
    }
    if application == Database.applicationID, version == 1 {
      try execute(Schema.second)
      return try execute("PRAGMA user_version = 2")
    }
    guard application == Database.applicationID, version == 2 else {
      throw EnrollmentStoreError(
        "“\(path)” holds no records of this program’s version: another program, or a newer one, made it.")
    }
  }
}

/// What the records look like. What has been released never changes; new versions come behind.
enum Schema {
  static let first = """
    CREATE TABLE numbers (
      number TEXT PRIMARY KEY,
      client BLOB NOT NULL CHECK (length(client) = 32),
      salt BLOB NOT NULL,
      code BLOB NOT NULL CHECK (length(code) = 32),
      expires INTEGER NOT NULL,
      tries_left INTEGER NOT NULL,
      sent TEXT NOT NULL
    ) STRICT;
    CREATE INDEX numbers_by_time ON numbers (expires);
    CREATE TABLE registrations (
      client BLOB PRIMARY KEY CHECK (length(client) = 32),
      request BLOB NOT NULL CHECK (length(request) = 16),
      number TEXT NOT NULL,
      account TEXT NOT NULL,
      path TEXT NOT NULL,
      token BLOB NOT NULL,
      container BLOB NOT NULL,
      expires INTEGER NOT NULL,
      fetched INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX registrations_by_time ON registrations (expires) WHERE fetched = 0;
    CREATE TABLE accounts (
      id TEXT PRIMARY KEY,
      number TEXT NOT NULL,
      name TEXT NOT NULL,
      serial BLOB NOT NULL,
      token BLOB NOT NULL CHECK (length(token) = 32),
      status INTEGER NOT NULL,
      reviewing INTEGER,
      submitted INTEGER,
      reason TEXT NOT NULL,
      passport_number TEXT NOT NULL,
      passport BLOB,
      selfie BLOB,
      sealed INTEGER NOT NULL,
      failures INTEGER NOT NULL,
      locked INTEGER NOT NULL,
      replaced INTEGER NOT NULL,
      created INTEGER NOT NULL
    ) STRICT;
    -- One account of a number at a time, whoever writes.
    CREATE UNIQUE INDEX accounts_by_number ON accounts (number) WHERE replaced = 0;
    """

  /// Counts messages, to whomever they went. An empty origin: a place without an address.
  static let second = """
    CREATE TABLE messages (
      id INTEGER PRIMARY KEY,
      time INTEGER NOT NULL,
      origin BLOB NOT NULL
    ) STRICT;
    CREATE INDEX messages_by_time ON messages (time);
    CREATE INDEX messages_by_origin ON messages (origin, time);
    """
}
