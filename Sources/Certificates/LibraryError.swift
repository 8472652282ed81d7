internal import COpenSSL

/// What the library itself said, as a cause.
package struct LibraryError: Error, CustomStringConvertible {
  /// The library's own words.
  package let description: String

  /// Takes the newest entry from this thread's queue of errors and empties the queue; nil when there is none.
  package static func take() -> LibraryError? {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    guard code != 0 else { return nil }
    // Unsafe: C returns a constant string of the library's own, or null.
    guard let reason = unsafe ERR_reason_error_string(code) else { return LibraryError(description: "error \(code)") }
    return LibraryError(description: unsafe String(cString: reason))
  }
}
