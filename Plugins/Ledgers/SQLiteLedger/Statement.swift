internal import CSQLite
internal import CheckIn
internal import Glibc

/// One prepared statement, used again and again by the thread of its connection.
@safe final class Statement {
  private let pointer: OpaquePointer
  /// Keeps the connection open as long as the statement lives.
  private let connection: Connection

  init(_ sql: String, on connection: Connection) throws(LedgerError) {
    var pointer: OpaquePointer?
    errno = 0
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let result = unsafe sqlite3_prepare_v3(connection.handle, sql, -1, flags, &pointer, nil)
    guard result == SQLITE_OK, let pointer = unsafe pointer else { throw connection.error(result) }
    unsafe self.pointer = pointer
    self.connection = connection
  }

  deinit {
    unsafe sqlite3_finalize(pointer)
  }

  /// Makes the statement ready for its next use.
  func reset() {
    unsafe sqlite3_reset(pointer)
  }

  /// Goes on to the next row; false when there is none.
  func step() throws(LedgerError) -> Bool {
    errno = 0
    let result = unsafe sqlite3_step(pointer)
    switch result {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let error = connection.error(result)
      reset()
      throw error
    }
  }

  /// Runs the statement to its end, and makes it ready for its next use.
  func run() throws(LedgerError) {
    while try step() {}
    reset()
  }

  // Unsafe, all four: the library copies the bytes during the call (SQLITE_TRANSIENT).

  func bind(_ index: Int32, _ value: Int64?) {
    if let value { unsafe sqlite3_bind_int64(pointer, index, value) } else { unsafe sqlite3_bind_null(pointer, index) }
  }

  func bind(_ index: Int32, text: String?) {
    guard var text else {
      unsafe sqlite3_bind_null(pointer, index)
      return
    }
    text.withUTF8 { utf8 in
      // An empty text has an address too: it lies in the value itself.
      unsafe utf8.baseAddress!.withMemoryRebound(to: CChar.self, capacity: utf8.count) { characters in
        _ = unsafe sqlite3_bind_text64(
          pointer, index, characters, UInt64(utf8.count), Statement.transient, UInt8(SQLITE_UTF8))
      }
    }
  }

  func bind(_ index: Int32, blob: [UInt8]) {
    unsafe sqlite3_bind_blob64(pointer, index, blob, UInt64(blob.count), Statement.transient)
  }

  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(pointer, column) }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  func text(_ column: Int32) -> String {
    // Unsafe: the library's bytes are copied before the next call to it.
    guard let start = unsafe sqlite3_column_text(pointer, column) else { return "" }
    let count = Int(unsafe sqlite3_column_bytes(pointer, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  func blob(_ column: Int32) -> [UInt8] {
    // Unsafe: the library's bytes are copied before the next call to it.
    guard let start = unsafe sqlite3_column_blob(pointer, column) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(pointer, column))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  private func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(pointer, column) == SQLITE_NULL }

  // Unsafe: SQLITE_TRANSIENT, a macro that the importer does not see: the number −1 in the place of a function.
  private static var transient: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
