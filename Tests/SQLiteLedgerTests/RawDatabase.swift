import CSQLite

/// Another program that has the same file open.
///
/// SAFETY: the library is asked to serialise the calls, so any thread may make them.
@safe final class RawDatabase: @unchecked Sendable {
  private let handle: OpaquePointer

  struct Failure: Error {
    let result: Int32
  }

  init(_ path: String) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX
    let result = unsafe sqlite3_open_v2(path, &handle, flags, nil)
    guard result == SQLITE_OK, let handle = unsafe handle else { throw Failure(result: result) }
    unsafe self.handle = handle
  }

  deinit {
    unsafe sqlite3_close_v2(handle)
  }

  func execute(_ sql: String) throws {
    let result = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw Failure(result: result) }
  }
}
