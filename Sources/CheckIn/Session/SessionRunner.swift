internal import CheckInCore
internal import Synchronization

/// Runs one session over one connection.
///
/// Inputs come from any task; they are handled one at a time, in order, and the actions of one are done before the next
/// is looked at. Whichever task brings an input while nobody is at work does the work, so a session that waits has no
/// task but the one that waits for bytes, and a byte that arrives is handled where it arrived.
package final class SessionRunner<Machine: SessionMachine & ~Copyable>: Sendable {
  private struct State: ~Copyable {
    var machine: Machine
    var inbox: [Machine.Input] = []
    var isWorking = false
    var timers: [Machine.Timer: TimerQueue.ID] = [:]
    /// The reader, when it waits for somebody else's work to be done, or for the end.
    var idleWaiter: CheckedContinuation<Bool, Never>?
  }

  /// The connection, framed.
  package let channel: MessageChannel
  private let state: Mutex<State>
  private let clock: any CheckInClock
  private let timers: TimerQueue
  private let perform: @Sendable (Machine.Action, SessionRunner) async -> Machine.Input?

  /// A runner for one session.
  ///
  /// - Parameter perform: does one action; what it answers is the session's next input but for those that wait already.
  package init(
    machine: consuming Machine, channel: MessageChannel, clock: any CheckInClock, timers: TimerQueue,
    perform: @escaping @Sendable (Machine.Action, SessionRunner) async -> Machine.Input?
  ) {
    state = Mutex(State(machine: machine))
    self.channel = channel
    self.clock = clock
    self.timers = timers
    self.perform = perform
  }

  /// Runs the session to its end. When this returns the connection is closed and every timer is stopped. A cancelled
  /// task ends the session as a lost connection does.
  package func run(start: Machine.Input) async {
    await submit(start)
    while !isEnded {
      let event: ConnectionEvent
      do throws(TransportError) {
        event = try await channel.receive(before: nil).map { .received($0) } ?? .finished
      } catch {
        event = error.code == .tooLarge || error.code == .malformed ? .framingFailed : .lost
      }
      await submit(Machine.input(event))
      guard case .received = event else { break }
    }
    await withTaskCancellationHandler {
      await idle(untilEnd: true)
    } onCancel: {
      post(Machine.input(.lost))
    }
    stopTimers()
  }

  /// Hands in an input from anywhere, and returns at once.
  package func post(_ input: Machine.Input) {
    guard enqueue(input) else { return }
    Task(executorPreference: channel.executor) { await self.work() }
  }

  /// Starts or restarts a timer.
  package func startTimer(_ timer: Machine.Timer, _ duration: Duration) {
    let id = timers.schedule(at: clock.now.monotonic + duration) { [weak self] in
      self?.post(Machine.input(fired: timer))
    }
    let old = state.withLock { state in
      let old = state.timers[timer]
      state.timers[timer] = id
      return old
    }
    if let old { timers.cancel(old) }
  }

  /// Stops a timer, if it runs.
  package func stopTimer(_ timer: Machine.Timer) {
    let id = state.withLock { $0.timers.removeValue(forKey: timer) }
    if let id { timers.cancel(id) }
  }

  private func stopTimers() {
    let running = state.withLock { state in
      let running = Array(state.timers.values)
      state.timers = [:]
      return running
    }
    for id in running {
      timers.cancel(id)
    }
  }

  private var isEnded: Bool {
    state.withLock { $0.machine.isEnded && !$0.isWorking && $0.inbox.isEmpty }
  }

  /// Adds an input; true when the caller has to do the work.
  private func enqueue(_ input: Machine.Input) -> Bool {
    state.withLock { state in
      state.inbox.append(input)
      guard !state.isWorking else { return false }
      state.isWorking = true
      return true
    }
  }

  /// Hands in an input and returns when it, and all that waited with it, has been dealt with.
  private func submit(_ input: Machine.Input) async {
    if enqueue(input) {
      await work()
    } else {
      await idle(untilEnd: false)
    }
  }

  /// Waits until nobody is at work and, if that is asked for, the session is over.
  private func idle(untilEnd: Bool) async {
    while true {
      let isDone = await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          if !state.isWorking, state.machine.isEnded || !untilEnd { return true }
          state.idleWaiter = continuation
          return false
        }
        if isDone { continuation.resume(returning: true) }
      }
      if isDone { return }
    }
  }

  private func wakeIdle() {
    let waiter = state.withLock { $0.idleWaiter.take() }
    waiter?.resume(returning: false)
  }

  private func work() async {
    while let actions = nextActions() {
      for action in actions {
        guard let answer = await perform(action, self) else { continue }
        state.withLock { $0.inbox.append(answer) }
      }
    }
    wakeIdle()
  }

  private func nextActions() -> [Machine.Action]? {
    state.withLock { state in
      guard !state.inbox.isEmpty else {
        state.isWorking = false
        return nil
      }
      let input = state.inbox.removeFirst()
      return state.machine.handle(input, now: self.clock.now)
    }
  }
}
