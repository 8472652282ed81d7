internal import CheckInCore
internal import Synchronization

/// Keeps one context of a key for its next signature, since setting one up is dear beside a signature itself.
///
/// Any number of tasks may sign, or verify, with one key at once: who finds the spare one taken makes another.
final class SpareContext: Sendable {
  private let purpose: SignatureContext.Purpose
  private let spare = Mutex<SignatureContext?>(nil)

  init(_ purpose: SignatureContext.Purpose) {
    self.purpose = purpose
  }

  /// Does one thing with a context that is ready; nil when the library cannot set one up.
  func use<Value>(
    _ key: EVPKey, _ algorithm: SignatureAlgorithm, _ body: (SignatureContext) -> Value
  ) -> Value? {
    let context: SignatureContext
    if let found = spare.withLock({ $0.take() }), found.begin(purpose) {
      context = found
    } else if let new = SignatureContext(key, algorithm, purpose) {
      context = new
    } else {
      return nil
    }
    let value = body(context)
    spare.withLock { $0 = context }
    return value
  }
}
