internal import CheckInCore
internal import Synchronization

/// Runs a kiosk's desk: its calls come from any task, its actions are done one at a time, in order, outside the lock.
final class KioskDeskRunner: Sendable {
  private struct State: ~Copyable {
    var desk: KioskDesk<AnyCryptography>
    var waiting: [DeskAction] = []
    var isWorking = false
    var isStopping = false
    var sessions: [SessionID: SessionRunner<Kiosk.Session>] = [:]
    var timers: [DeskTimer: TimerQueue.ID] = [:]
  }

  private let state: Mutex<State>
  private let observer: (any KioskObserver)?
  private let display: (any KioskDisplay)?
  private let clock: any CheckInClock
  private let timers: TimerQueue

  /// A desk with nobody at it.
  init(configuration: KioskConfiguration, failures: [LedgerFailure], timers: TimerQueue, now: Moment) {
    state = Mutex(
      State(
        desk: KioskDesk(
          profile: configuration.profile, settings: configuration.deskSettings,
          sessionSettings: configuration.sessionSettings, failures: failures,
          cryptography: AnyCryptography(configuration.cryptography), now: now)))
    observer = configuration.observer
    display = configuration.display
    clock = configuration.clock
    self.timers = timers
  }

  /// Shows what the screen begins with.
  func showFirstView() {
    call { state, _ in [.show(state.desk.view)] }
  }

  /// Whether the session may begin; one that may is known from now on.
  func admit(_ runner: SessionRunner<Kiosk.Session>, _ id: SessionID, peer: String?) -> DeskAdmission {
    var admission = DeskAdmission.refuse(.tooManySessions)
    var isStopping = false
    call { state, now in
      let (decision, actions) = state.desk.admit(id, peer: peer, now: now)
      if case .refuse = decision {} else { state.sessions[id] = runner }
      (admission, isStopping) = (decision, state.isStopping)
      return actions
    }
    if isStopping, admission == .accept || admission == .acceptBusy {
      runner.post(.stop)
    }
    return admission
  }

  /// Forgets a session that is over.
  func forget(_ id: SessionID) {
    state.withLock { _ = $0.sessions.removeValue(forKey: id) }
  }

  /// Tells every session, and every later one, to end soon.
  func stopSessions() {
    let sessions = state.withLock { state in
      state.isStopping = true
      return Array(state.sessions.values)
    }
    for session in sessions {
      session.post(.stop)
    }
  }

  /// Takes a session's request.
  func handle(_ request: DeskRequest, from id: SessionID) {
    call { state, now in state.desk.handle(request, from: id, now: now) }
  }

  /// Whether keys do nothing, because something is being decided.
  var isChecking: Bool { state.withLock { $0.desk.isChecking } }

  /// Takes a key.
  func press(_ key: KeypadKey) {
    call { state, now in state.desk.press(key, now: now) }
  }

  private func call(_ body: (inout State, Moment) -> [DeskAction]) {
    let mustWork = state.withLock { state in
      state.waiting += body(&state, clock.now)
      guard !state.isWorking else { return false }
      state.isWorking = true
      return true
    }
    guard mustWork else { return }
    while let actions = takeWaiting() {
      for action in actions {
        perform(action)
      }
    }
  }

  private func takeWaiting() -> [DeskAction]? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isWorking = false
        return nil
      }
      let actions = state.waiting
      state.waiting = []
      return actions
    }
  }

  private func perform(_ action: DeskAction) {
    switch action {
    case .deliver(let note, let id):
      let runner = state.withLock { $0.sessions[id] }
      runner?.post(.desk(note))
    case .show(let view):
      display?.show(view)
    case .report(let event):
      observer?.observe(.session(event), at: clock.now.wall)
    case .startTimer(let timer, let duration):
      let id = timers.schedule(at: clock.now.monotonic + duration) { [weak self] in
        self?.call { state, now in state.desk.timerFired(timer, now: now) }
      }
      replaceTimer(timer, by: id)
    case .stopTimer(let timer):
      replaceTimer(timer, by: nil)
    }
  }

  private func replaceTimer(_ timer: DeskTimer, by id: TimerQueue.ID?) {
    let old = state.withLock { state in
      let old = state.timers[timer]
      state.timers[timer] = id
      return old
    }
    if let old { timers.cancel(old) }
  }
}
