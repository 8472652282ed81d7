/// The timers of one session at a kiosk. Starting one that runs restarts it.
public enum KioskTimer: String, Hashable, Sendable, CaseIterable {
  /// The wait for the initial request: until then the session is half open.
  case initialRequest = "initial_request"
  /// The end of the silence after an invalid token (R16).
  case silence
  /// The life of the PIN (R4).
  case pin
  /// The wait for the phone's goodbye.
  case goodbye
  /// The bound on the whole session.
  case session
}
