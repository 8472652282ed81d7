internal import CSQLite
internal import EnrollmentCore

/// One prepared statement, used once by the store's thread.
@safe final class Query {
  private let pointer: OpaquePointer
  /// Keeps the database open as long as the statement lives.
  private let database: Database

  /// Takes over a statement.
  init(_ pointer: OpaquePointer, _ database: Database) {
    unsafe self.pointer = pointer
    self.database = database
  }

  deinit {
    unsafe sqlite3_finalize(pointer)
  }

  /// Goes on to the next row; false when there is none.
  func step() throws(EnrollmentStoreError) -> Bool {
    let result = unsafe sqlite3_step(pointer)
    switch result {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw database.error(result)
    }
  }

  /// Runs the statement to its end.
  func run() throws(EnrollmentStoreError) {
    while try step() {}
  }

  // Unsafe, all three: the library copies the bytes during the call (SQLITE_TRANSIENT).

  func bind(_ index: Int32, _ value: Int64?) {
    if let value { unsafe sqlite3_bind_int64(pointer, index, value) } else { unsafe sqlite3_bind_null(pointer, index) }
  }

  func bind(_ index: Int32, _ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      // An empty text has an address too: it lies in the value itself.
      unsafe utf8.baseAddress!.withMemoryRebound(to: CChar.self, capacity: utf8.count) { characters in
        _ = unsafe sqlite3_bind_text64(
          pointer, index, characters, UInt64(utf8.count), Query.transient, UInt8(SQLITE_UTF8))
      }
    }
  }

  func bind(_ index: Int32, _ blob: [UInt8]?) {
    guard let blob else {
      unsafe sqlite3_bind_null(pointer, index)
      return
    }
    guard !blob.isEmpty else {
      // An empty array may have no address, which the library would take for NULL.
      unsafe sqlite3_bind_zeroblob(pointer, index, 0)
      return
    }
    unsafe sqlite3_bind_blob64(pointer, index, blob, UInt64(blob.count), Query.transient)
  }

  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(pointer, column) }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  func text(_ column: Int32) -> String {
    // Unsafe: the library's bytes are copied before the next call to it.
    guard let start = unsafe sqlite3_column_text(pointer, column) else { return "" }
    let count = Int(unsafe sqlite3_column_bytes(pointer, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

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
