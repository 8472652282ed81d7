internal import CheckIn
package import CheckInCore
internal import Synchronization

/// A clock that stands still until a test moves it. Sleepers wake as their time comes, in order.
package final class ManualClock: CheckInClock {
  private struct Sleeper {
    let id: UInt64
    let time: MonotonicTime
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var moment: Moment
    var lastID: UInt64 = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<UInt64> = []
  }

  private let state: Mutex<State>

  /// A clock that shows `wall`, and zero on its monotonic side.
  package init(wall: WallTime = WallTime(secondsSince1970: 1_796_040_000)) {
    state = Mutex(State(moment: Moment(wall: wall, monotonic: MonotonicTime(sinceStart: .zero))))
  }

  /// What the clock shows.
  package var now: Moment { state.withLock { $0.moment } }

  /// How many tasks wait for their time.
  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// When the first of them wakes; nil while none waits.
  package var nextWake: MonotonicTime? { state.withLock { $0.sleepers.map(\.time).min() } }

  /// Moves both sides forward and wakes whoever is due.
  package func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.moment = Moment(
        wall: state.moment.wall.advanced(by: duration), monotonic: state.moment.monotonic + duration)
      let now = state.moment.monotonic
      let due = state.sleepers.filter { $0.time <= now }.sorted { $0.time < $1.time }
      state.sleepers.removeAll { $0.time <= now }
      return due
    }
    for sleeper in due {
      sleeper.continuation.resume(returning: true)
    }
  }

  /// Sets the wall side alone, as a person or a time server may.
  package func setWall(_ wall: WallTime) {
    state.withLock { $0.moment = Moment(wall: wall, monotonic: $0.moment.monotonic) }
  }

  /// Returns when a test has moved the clock to `time`.
  package func sleep(until time: MonotonicTime) async throws(CancellationError) {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let cameToTime = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let immediate: Bool? = state.withLock { state in
          if state.cancelled.remove(id) != nil { return false }
          if time <= state.moment.monotonic { return true }
          state.sleepers.append(Sleeper(id: id, time: time, continuation: continuation))
          return nil
        }
        if let immediate { continuation.resume(returning: immediate) }
      }
    } onCancel: {
      let sleeper: Sleeper? = state.withLock { state in
        guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(returning: false)
    }
    guard cameToTime else { throw CancellationError() }
  }
}
