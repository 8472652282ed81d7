/// A file could not be read or written. The message says what happened, to which file, and what to do.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// How the program ends because of it, where nothing else is done.
  package let status: ExitStatus
  /// What happened, to which file, what to do.
  package let message: String

  /// An error.
  package init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// The message.
  package var description: String { message }
}
