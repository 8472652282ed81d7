import Synchronization

/// Hands out numbers, each once, to whoever asks.
final class Turns: Sendable {
  private let rest: Mutex<Range<UInt64>>

  init(_ numbers: Range<UInt64>) {
    rest = Mutex(numbers)
  }

  func take() -> UInt64? {
    rest.withLock { $0.popFirst() }
  }
}
