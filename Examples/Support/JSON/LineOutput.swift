internal import Glibc
internal import Synchronization

/// Writes whole lines to a descriptor, from any number of tasks: lines never mix, and each is out before the call returns.
package final class LineOutput: Sendable {
  /// What is done when the reader has gone away.
  package enum WhenClosed: Sendable {
    /// The process ends without a word, with ``ExitStatus/inputOutput``: nobody listens any more.
    case leave
    /// Later lines are dropped; ``LineOutput/write(_:)`` answers false.
    case ignore
  }

  /// Standard output. When its reader goes away the process ends.
  package static let standardOutput = LineOutput(descriptor: STDOUT_FILENO)
  /// Standard error. When its reader goes away the lines are dropped.
  package static let standardError = LineOutput(descriptor: STDERR_FILENO, whenClosed: .ignore)

  let descriptor: Int32
  private let whenClosed: WhenClosed
  private let isOpen = Mutex(true)

  /// An output to a descriptor, which stays the caller's. `SIGPIPE` is ignored from here on in the whole process, so that
  /// a reader that is gone is an error and not the end.
  package init(descriptor: Int32, whenClosed: WhenClosed = .leave) {
    self.descriptor = descriptor
    self.whenClosed = whenClosed
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Writes the text as it is, at once. False when it could not be written, or when an earlier one could not.
  @discardableResult
  package func write(_ text: String) -> Bool {
    let code = isOpen.withLock { isOpen -> Int32 in
      guard isOpen else { return EPIPE }
      let code = Descriptor.writeAll(Array(text.utf8), to: descriptor)
      isOpen = code == 0
      return code
    }
    if code != 0, whenClosed == .leave { leave(.inputOutput) }
    return code == 0
  }

  /// Writes a line for people: whatever could act on a terminal is made harmless.
  @discardableResult
  package func writeLine(_ text: String) -> Bool {
    write(text.printable + "\n")
  }

  /// Writes a line for people in a style, where there is colour; the text is made harmless first.
  @discardableResult
  package func writeLine(_ text: String, style: TerminalStyle, colour: Bool) -> Bool {
    write(style.applied(to: text.printable, colour: colour) + "\n")
  }
}
