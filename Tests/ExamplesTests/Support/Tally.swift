internal import Synchronization

/// A number that many tasks count up.
final class Tally: Sendable {
  private let count = Atomic(0)

  /// The count so far.
  var value: Int { count.load(ordering: .acquiring) }

  /// Counts one more; answers how many there were before.
  @discardableResult
  func add() -> Int { count.add(1, ordering: .acquiringAndReleasing).oldValue }
}
