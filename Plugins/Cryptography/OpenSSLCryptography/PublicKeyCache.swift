internal import CheckInCore
internal import Synchronization

/// The library's forms of the keys that were used last, so that a key is not parsed anew for each signature.
///
/// Two generations of `generationSize` keys: a key that is found in the older one moves to the newer; when the newer
/// is full it becomes the older, and what nobody used in the meantime is forgotten. So memory is bounded, and each
/// call takes constant time.
final class PublicKeyCache: Sendable {
  private struct State {
    var newer: [PublicKey: EVPKey] = [:]
    var older: [PublicKey: EVPKey] = [:]

    mutating func insert(_ parsed: EVPKey, for key: PublicKey, generationSize: Int) {
      if newer.count >= generationSize {
        older = newer
        newer = [:]
      }
      newer[key] = parsed
    }
  }

  private let generationSize: Int
  private let state = Mutex(State())

  init(generationSize: Int) {
    self.generationSize = generationSize
  }

  /// How many keys are held.
  var count: Int {
    state.withLock { $0.newer.count + $0.older.count }
  }

  /// The parsed key; nil when the bytes are no key. A key that is none is not remembered.
  func parsed(_ key: PublicKey) -> EVPKey? {
    let known: EVPKey? = state.withLock { state in
      if let found = state.newer[key] { return found }
      guard let found = state.older.removeValue(forKey: key) else { return nil }
      state.insert(found, for: key, generationSize: generationSize)
      return found
    }
    if let known { return known }
    // Outside the lock: parsing takes longer than all the rest.
    guard let parsed = EVPKey(key) else { return nil }
    state.withLock { $0.insert(parsed, for: key, generationSize: generationSize) }
    return parsed
  }
}
