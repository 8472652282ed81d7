/// What the desk wants done, in this order. Do it after the desk's lock is released.
public enum DeskAction: Sendable {
  /// Hand ``KioskInput/desk(_:)`` with this note to that session. If the session is gone, forget it.
  case deliver(DeskNote, to: SessionID)
  /// Show this on the kiosk's screen.
  case show(KioskView)
  /// Start, or restart, a timer; when it runs out, call ``KioskDesk/timerFired(_:now:)``.
  case startTimer(DeskTimer, Duration)
  /// Stop a timer, if it runs.
  case stopTimer(DeskTimer)
  /// Tell the observer.
  case report(KioskEvent)
}

/// The timers of a kiosk's desk. Starting one that runs restarts it.
public enum DeskTimer: String, Hashable, Sendable, CaseIterable {
  /// The last digit is masked.
  case reveal
  /// The outcome leaves the screen.
  case outcome
  /// Those who wait are told how many are before them.
  case queue
  /// The keypad takes keys again (R3).
  case keypad
  /// Suppressed log lines are summed up (R16).
  case log
}

/// Whether a new connection may begin a session (R19).
public enum DeskAdmission: Hashable, Sendable {
  /// Run a session.
  case accept
  /// Run a session that only says ``Reason/busy``: start it with ``KioskInput/start(isBusy:)`` true.
  case acceptBusy
  /// Abort the connection at once, without a word.
  case refuse(Refusal)

  /// Why a connection gets no session.
  public enum Refusal: String, Hashable, Sendable {
    /// Too many sessions are open, the busy ones counted.
    case tooManySessions = "too_many_sessions"
    /// Too many connections of this peer have not sent an initial request yet.
    case tooManyHalfOpen = "too_many_half_open"
    /// This peer opens sessions too fast.
    case peerTooFast = "peer_too_fast"
  }
}
