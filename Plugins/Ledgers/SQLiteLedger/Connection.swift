internal import CSQLite
internal import CheckIn
internal import Glibc

/// One open database, used by one thread at a time.
@safe final class Connection {
  let handle: OpaquePointer
  let path: String

  /// Opens the file, which must exist.
  init(path: String) throws(LedgerError) {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    // A relative path gets a dot in front, so that names such as “:memory:” are files like all others.
    let result = unsafe sqlite3_open_v2(path.hasPrefix("/") ? path : "./\(path)", &handle, flags, nil)
    guard result == SQLITE_OK, let handle = unsafe handle else {
      let error = unsafe LedgerError(result, systemError: sqlite3_system_errno(handle), path: path)
      unsafe sqlite3_close_v2(handle)
      throw error
    }
    unsafe self.handle = handle
    self.path = path
  }

  deinit {
    unsafe sqlite3_close_v2(handle)
  }

  /// The error that stands for a result code of the last call, before which `errno` was set to zero: where a commit
  /// fails, the library does not keep the system's error number itself.
  func error(_ result: Int32) -> LedgerError {
    let last = errno
    let kept = unsafe sqlite3_system_errno(handle)
    return LedgerError(result, systemError: kept != 0 ? kept : last, path: path)
  }

  /// How long a statement waits for another program's lock.
  func setBusyTimeout(_ timeout: Duration) {
    let milliseconds = max(0, min(timeout / .milliseconds(1), 86_400_000))
    unsafe sqlite3_busy_timeout(handle, Int32(milliseconds))
  }

  /// Runs statements that answer nothing.
  func execute(_ sql: String) throws(LedgerError) {
    errno = 0
    let result = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw error(result) }
  }

  /// The first column of the first row as a text; empty when there is no row.
  func text(_ sql: String) throws(LedgerError) -> String {
    let statement = try Statement(sql, on: self)
    return try statement.step() ? statement.text(0) : ""
  }

  /// Whether the path does not lead to the open file any more.
  var hasMoved: Bool {
    var moved: Int32 = 0
    // Unsafe: the library writes one `int`.
    let result = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
    return result == SQLITE_OK && moved != 0
  }

  /// Whether the library could open the file for reading only.
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

  /// Whether a transaction is open.
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// How many rows the last statement changed.
  var changes: Int { Int(unsafe sqlite3_changes(handle)) }

  /// Ends the open transaction, if there is one, as if it had not been.
  func rollBack() {
    // The library rolls back by itself after some errors, such as a full disk.
    guard isInTransaction else { return }
    _ = unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
  }
}
