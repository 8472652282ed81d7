package import CheckInCore
internal import Synchronization

/// Calls back at set times. One task waits for all of them, so a session that only waits costs no task of its own.
@usableFromInline
package final class TimerQueue: Sendable {
  /// Names a timer that was set.
  @usableFromInline
  package struct ID: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private struct Entry {
    let time: MonotonicTime
    let id: ID
  }

  private struct State {
    var lastID: UInt64 = 0
    /// A heap by time. Cancelled timers stay in it until their time, or until most of it is cancelled ones.
    var heap: [Entry] = []
    var actions: [ID: @Sendable () -> Void] = [:]
    /// The sleep that goes on, and when it ends by itself; nil: not before it is woken.
    var sleep: (waiter: Waiter<Void>, end: MonotonicTime?)?
  }

  /// The longest sleep. Most timers of a session are stopped long before their time: a sleep that is shorter than they are
  /// need not be broken off for a new one. And the system forgets no sleep before its time, not even one that was cancelled.
  private static let longestSleep = Duration.seconds(1)

  private let clock: any CheckInClock
  private let state = Mutex(State())

  /// A queue on that clock. Nothing fires until ``run()`` runs.
  package init(clock: any CheckInClock) {
    self.clock = clock
  }

  /// Sets a timer. `action` is called once, from the task in ``run()``, and must return at once.
  package func schedule(at time: MonotonicTime, _ action: @escaping @Sendable () -> Void) -> ID {
    state.withLock { state in
      state.lastID += 1
      let id = ID(number: state.lastID)
      state.actions[id] = action
      state.heap.push(Entry(time: time, id: id), before: { $0.time < $1.time })
      if let sleep = state.sleep, sleep.end.map({ time < $0 }) ?? true {
        sleep.waiter.settle(())
        state.sleep = nil
      }
      return id
    }
  }

  /// Forgets a timer. One that has fired, or is firing, is not stopped.
  package func cancel(_ id: ID) {
    state.withLock { state in
      state.actions[id] = nil
      if state.heap.count > 64, state.heap.count > 4 * state.actions.count {
        let live = state.heap.filter { state.actions[$0.id] != nil }
        state.heap = []
        for entry in live {
          state.heap.push(entry, before: { $0.time < $1.time })
        }
      }
    }
  }

  /// How many timers are kept, cancelled ones that are not forgotten yet included.
  package var waitingCount: Int { state.withLock { $0.heap.count } }

  /// Fires timers until the task is cancelled.
  package func run() async {
    while !Task.isCancelled {
      await sleep()
      for action in takeDue(at: clock.now.monotonic) {
        action()
      }
    }
  }

  /// Sleeps until the first timer's time, or until there is an earlier one; without timers, until there is one.
  private func sleep() async {
    let waiter = Waiter<Void>()
    let end = state.withLock { state in
      let end = state.heap.first.map { min($0.time, clock.now.monotonic + Self.longestSleep) }
      state.sleep = (waiter, end)
      return end
    }
    guard let end else { return _ = await waiter.wait() }
    let sleeper = Task {
      try? await clock.sleep(until: end)
      waiter.settle(())
    }
    _ = await waiter.wait()
    sleeper.cancel()
  }

  private func takeDue(at now: MonotonicTime) -> [@Sendable () -> Void] {
    state.withLock { state in
      var due: [@Sendable () -> Void] = []
      while let first = state.heap.first, first.time <= now {
        state.heap.popFirst(before: { $0.time < $1.time })
        if let action = state.actions.removeValue(forKey: first.id) { due.append(action) }
      }
      return due
    }
  }
}
