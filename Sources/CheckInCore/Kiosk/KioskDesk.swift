/// What the sessions of one kiosk share: live PINs, the queue for the screen, the keypad, the limits.
///
/// It is a value to keep behind one lock. Each call answers what to do, to be done after the lock is released. Actions
/// for one session must reach it in the order in which the desk gave them.
public struct KioskDesk<Crypto: Cryptography>: ~Copyable, Sendable {
  /// A desk with nobody at it.
  ///
  /// - Parameters:
  ///   - failures: the ledger's failures since `now` less the longer memory of the two delays; they go on counting (R3).
  public init(
    profile: KioskProfile, settings: DeskSettings = DeskSettings(), sessionSettings: KioskSettings = KioskSettings(),
    failures: [LedgerFailure] = [], cryptography: Crypto, now: Moment
  ) {
  }

  /// What the screen shows at this moment; the first thing to show.
  public var view: KioskView { .welcome(.init(event: "", kiosk: "", gate: "")) }

  /// Whether a new connection may begin a session (R19). Every admission, ``DeskAdmission/acceptBusy`` too, is given back by
  /// ``DeskRequest/closed``.
  ///
  /// - Parameters:
  ///   - session: the session's identifier; the one of the ``KioskSession`` that will run.
  ///   - peer: what tells peers apart, such as a host address without its port; nil counts towards no peer's limit.
  public mutating func admit(_ session: SessionID, peer: String?, now: Moment) -> DeskAdmission {
    .accept
  }

  /// Takes a session's request.
  public mutating func handle(_ request: DeskRequest, from session: SessionID, now: Moment) -> [DeskAction] {
    []
  }

  /// Takes a key of the kiosk's keypad.
  public mutating func press(_ key: KeypadKey, now: Moment) -> [DeskAction] {
    []
  }

  /// Takes a timer that ran out. One that was stopped or restarted in the same instant does no harm.
  public mutating func timerFired(_ timer: DeskTimer, now: Moment) -> [DeskAction] {
    []
  }
}
