internal import COpenSSL

/// What the library itself said, as a cause.
package struct LibraryError: Error, CustomStringConvertible {
  /// The library's own words.
  package let description: String

  /// Takes the newest entry from this thread's queue of errors and empties the queue; nil when there is none.
  package static func take() -> LibraryError? {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    return LibraryError(number: code)
  }

  /// What the library says of one of its numbers; nil for 0, which is no error.
  package init?(number: UInt) {
    guard number != 0 else { return nil }
    // Unsafe: C returns a constant string of the library's own, or null.
    description = unsafe ERR_reason_error_string(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }
}
