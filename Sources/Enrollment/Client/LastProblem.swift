internal import Synchronization

/// The last thing that went wrong, in words.
final class LastProblem: Sendable {
  private let last = Mutex("")

  /// What it is.
  var text: String { last.withLock { $0 } }

  /// Keeps it.
  func set(_ text: String) {
    last.withLock { $0 = text }
  }
}
