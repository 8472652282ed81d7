internal import CheckIn
internal import Glibc
internal import Synchronization

/// One thread that waits for sockets and timers, and runs the tasks that prefer it.
///
/// A task that serves a connection and prefers the connection's loop is woken on the loop's thread: a byte that arrives
/// is handled without a thread hop. Such a task must not block. When the loop has ended, tasks that prefer it run on the
/// global pool instead, so none is ever stuck.
public final class EventLoop: TaskExecutor, Sendable {
  private enum Phase {
    case running
    case ending
    case ended
  }

  private struct State: ~Copyable {
    var phase = Phase.running
    /// Nil when the loop has ended.
    var poller: Poller?
    var jobs: [UnownedJob] = []
    /// Who is called when the turn ends.
    var atTurnEnd: [any EventSource] = []
    var sources = EventSources()
    var timers = TimerHeap()
    /// When the poller's clock ends a wait; nil when it does not. A wait needs no look at the time.
    var clockTime: LoopTime?
    /// The thread waits, or is about to: a change has to wake it.
    var isWaiting = false
    var onEnd: [CheckedContinuation<Void, Never>] = []
  }

  let clock = LoopClock()
  private let state: Mutex<State>
  /// The thread's identity, 0 before it runs.
  private let thread = Atomic<UInt>(0)
  /// Counts the rounds of the thread: what happened, and then the tasks that it woke.
  private let turn = Atomic<UInt64>(0)

  private let busyPoll: Duration

  init(busyPoll: Duration) throws(TransportError) {
    self.busyPoll = busyPoll
    state = Mutex(State(poller: try Poller.open()))
  }

  /// Runs a job of a task that prefers this loop.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isElsewhere = state.withLock { state in
      guard state.phase != .ended else { return true }
      state.jobs.append(job)
      Self.wake(&state)
      return false
    }
    if isElsewhere { globalConcurrentExecutor.enqueue(job) }
  }

  /// Whether the caller is on the loop's thread.
  package var isCurrent: Bool {
    thread.load(ordering: .relaxed) == UInt(pthread_self())
  }

  /// Which turn of the loop it is, for a caller on its thread; nil for any other.
  var currentTurn: UInt64? {
    isCurrent ? turn.load(ordering: .relaxed) : nil
  }

  /// Calls the source's ``EventSource/turnEnded()`` when the tasks of this turn have come to where they wait. For callers on
  /// the loop's thread.
  func atTurnEnd(_ source: any EventSource) {
    state.withLock { $0.atTurnEnd.append(source) }
  }

  /// Watches a descriptor for a source. The source gets events from now on, also while this call returns.
  func register(
    _ source: any EventSource, descriptor number: Int32, forRoom: Bool
  ) throws(TransportError) -> EventToken {
    return try state.withLock { state throws(TransportError) in
      guard state.phase == .running, state.poller != nil else { throw .loopsClosed }
      let token = state.sources.insert(source)
      do throws(TransportError) {
        try state.poller?.add(number, token: token, events: Self.events(forRoom: forRoom))
      } catch {
        state.sources.remove(token)
        throw error
      }
      return token
    }
  }

  /// Watches a source's descriptor for room to send too, or no longer. Room that there is already is told of.
  ///
  /// Bluetooth and Unix sockets tell of room whenever something has left, and each of that wakes the thread: so a source
  /// wants to know only while something waits to be sent.
  func watch(_ token: EventToken, descriptor number: Int32, forRoom: Bool) {
    state.withLock { state in
      guard state.sources[token] != nil else { return }
      state.poller?.change(number, token: token, events: Self.events(forRoom: forRoom))
    }
  }

  private static func events(forRoom: Bool) -> ReadyEvents {
    forRoom ? [.readable, .writable, .peerFinished] : [.readable, .peerFinished]
  }

  /// Forgets a source. The caller closes the descriptor after this, and not before.
  func unregister(_ token: EventToken, descriptor number: Int32) {
    // The source is let go of after the lock: it may be the last reference to something that comes back here.
    let source = state.withLock { state in
      let source = state.sources[token]
      state.sources.remove(token)
      state.poller?.remove(number)
      return source
    }
    _ = source
  }

  /// Calls the source's ``EventSource/alarm(at:)`` at or soon after a time.
  func setAlarm(at time: LoopTime, for token: EventToken) {
    state.withLock { state in
      guard state.phase == .running else { return }
      if state.timers.count > 64, state.timers.count > 4 * state.sources.count {
        let sources = state.sources
        state.timers.keep { sources[$0] != nil }
      }
      state.timers.insert(TimerHeap.Alarm(time: time, token: token))
      setClock(&state)
    }
  }

  /// Tells the thread to end. It ends soon, and everything that it watches is told.
  func beginEnd() {
    state.withLock { state in
      guard state.phase == .running else { return }
      state.phase = .ending
      Self.wake(&state)
    }
  }

  /// Returns when the thread has done its last work.
  func ended() async {
    await withCheckedContinuation { continuation in
      let isEnded = state.withLock { state in
        if state.phase == .ended { return true }
        state.onEnd.append(continuation)
        return false
      }
      if isEnded { continuation.resume() }
    }
  }

  /// The thread's whole life.
  func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    // The poller is closed by this thread alone, in `end`, so its number may be used here without the lock.
    let poller = state.withLock { $0.poller?.number } ?? -1
    var events = EventBuffer()
    var busyPoll = BusyPoll(busyPoll)
    var jobs: [UnownedJob] = []
    var ready: [(source: any EventSource, events: ReadyEvents)] = []
    var due: [any EventSource] = []
    var ended: [any EventSource] = []
    while true {
      guard let isIdle = prepareWait() else { return end() }
      if isIdle {
        busyPoll.wait(for: &events, on: poller)
      } else {
        events.wait(on: poller, isIdle: false)
      }
      let now = collect(events, into: &ready, &due)
      for item in ready { item.source.ready(item.events) }
      ready.removeAll(keepingCapacity: true)
      if let now {
        for source in due { source.alarm(at: now) }
        due.removeAll(keepingCapacity: true)
      }
      runJobs(&jobs, &ended)
    }
  }

  /// Whether there is nothing to do but wait; nil when the loop is to end.
  private func prepareWait() -> Bool? {
    state.withLock { state in
      guard state.phase == .running else { return nil }
      guard state.jobs.isEmpty else { return false }
      state.isWaiting = true
      return true
    }
  }

  /// Finds the sources of what happened; answers the time when alarms have come.
  private func collect(
    _ events: borrowing EventBuffer, into ready: inout [(source: any EventSource, events: ReadyEvents)],
    _ due: inout [any EventSource]
  ) -> LoopTime? {
    state.withLock { state in
      state.isWaiting = false
      var isTime = false
      for index in 0..<events.count {
        let event = events[index]
        if event.token == .clock { isTime = true }
        if let source = state.sources[event.token] { ready.append((source, event.events)) }
      }
      guard isTime else { return nil }
      state.clockTime = nil
      let now = clock.now
      while let token = state.timers.removeFirst(until: now) {
        if let source = state.sources[token] { due.append(source) }
      }
      setClock(&state)
      return now
    }
  }

  /// Has the poller's clock end a wait at the first alarm.
  private func setClock(_ state: inout State) {
    guard let first = state.timers.first, state.clockTime.map({ first < $0 }) ?? true else { return }
    state.clockTime = first
    state.poller?.setClock(after: first.nanoseconds - clock.now.nanoseconds)
  }

  private func runJobs(_ jobs: inout [UnownedJob], _ ended: inout [any EventSource]) {
    // Jobs make jobs. After some rounds the sockets get their turn.
    for round in 1...16 {
      state.withLock { state in
        swap(&state.jobs, &jobs)
        if jobs.isEmpty || round == 16 { swap(&state.atTurnEnd, &ended) }
      }
      if jobs.isEmpty { break }
      for job in jobs {
        // Unsafe: the reference is unowned; `run` holds the loop.
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      }
      jobs.removeAll(keepingCapacity: true)
    }
    turn.wrappingAdd(1, ordering: .relaxed)
    for source in ended { source.turnEnded() }
    ended.removeAll(keepingCapacity: true)
  }

  private func end() {
    let sources = state.withLock { state in
      let sources = state.sources.all
      state.isWaiting = false
      return sources
    }
    for source in sources { source.loopEnded() }
    let (jobs, waiting) = state.withLock { state in
      state.phase = .ended
      state.poller = nil
      state.sources.removeAll()
      state.atTurnEnd = []
      state.timers = TimerHeap()
      defer {
        state.jobs = []
        state.onEnd = []
      }
      return (state.jobs, state.onEnd)
    }
    for job in jobs { globalConcurrentExecutor.enqueue(job) }
    for continuation in waiting { continuation.resume() }
  }

  private static func wake(_ state: inout State) {
    guard state.isWaiting else { return }
    state.isWaiting = false
    state.poller?.wake()
  }
}
