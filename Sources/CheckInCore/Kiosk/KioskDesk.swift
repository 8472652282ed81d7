/// What the sessions of one kiosk share: live PINs, the queue for the screen, the keypad, the limits.
///
/// It is a value to keep behind one lock. Each call answers what to do, to be done after the lock is released. Actions
/// for one session must reach it in the order in which the desk gave them.
public struct KioskDesk<Crypto: Cryptography>: ~Copyable, Sendable {
  let profile: KioskProfile
  let settings: DeskSettings
  let sessionSettings: KioskSettings
  let cryptography: Crypto

  var sessions: [SessionID: DeskSession] = [:]
  var halfOpen = 0
  private var halfOpenByPeer: [String: Int] = [:]
  private var admitted = 0
  /// The sessions that wait for the screen, first come first.
  var waiting: [SessionID] = []
  /// Those who wait will be told soon.
  var isNewsOfQueueDue = false
  var screen = DeskScreen.free
  var keypad = Keypad()
  var failures: FailureCounts
  private var peers: PeerLimiter
  var reports: ReportLimiter

  /// A desk with nobody at it.
  ///
  /// - Parameters:
  ///   - profile: who the kiosk is; the same as the sessions have.
  ///   - settings: the limits and times of the desk.
  ///   - sessionSettings: the same as the sessions have.
  ///   - failures: the ledger's failures since `now` less the longer memory of the two delays; they go on counting (R3).
  ///   - cryptography: draws the PINs.
  ///   - now: the time of the call.
  public init(
    profile: KioskProfile, settings: DeskSettings = DeskSettings(), sessionSettings: KioskSettings = KioskSettings(),
    failures: [LedgerFailure] = [], cryptography: Crypto, now: Moment
  ) {
    self.profile = profile
    self.settings = settings
    self.sessionSettings = sessionSettings
    self.cryptography = cryptography
    self.failures = FailureCounts(settings: settings)
    self.failures.count(failures, kiosk: profile.kiosk, now: now)
    peers = PeerLimiter(settings: settings)
    reports = ReportLimiter(limit: settings.invalidTokenReportsPerSecond)
  }

  /// Whether a new connection may begin a session (R19). Every admission, ``DeskAdmission/acceptBusy`` too, is given back by
  /// ``DeskRequest/closed``.
  ///
  /// When all half-open places are taken, the oldest of those sessions has to go for the new one: peers that say nothing keep
  /// nobody out. The actions tell it so.
  ///
  /// - Parameters:
  ///   - session: the identifier of the ``KioskSession`` that will run.
  ///   - peer: what tells peers apart, such as a host address without its port; nil counts towards no peer's limit.
  ///   - now: the time of the call.
  /// - Precondition: no session has that identifier.
  public mutating func admit(
    _ session: SessionID, peer: String?, now: Moment
  ) -> (admission: DeskAdmission, actions: [DeskAction]) {
    precondition(sessions[session] == nil, "two sessions with one identifier")
    var out: [DeskAction] = []
    guard sessions.count < settings.openSessions + settings.busySessions else {
      return (.refuse(.tooManySessions), out)
    }
    if let peer, halfOpenByPeer[peer, default: 0] >= settings.halfOpenSessionsPerPeer {
      return (.refuse(.tooManyHalfOpen), out)
    }
    if let peer, !peers.admits(peer, now: now.monotonic) { return (.refuse(.peerTooFast), out) }
    if halfOpen >= settings.halfOpenSessions, !displaceOldest(&out) { return (.refuse(.tooManyHalfOpen), out) }
    let isBusy = sessions.count >= settings.openSessions
    sessions[session] = DeskSession(peer: peer, number: admitted)
    admitted += 1
    halfOpen += 1
    if let peer { halfOpenByPeer[peer, default: 0] += 1 }
    return (isBusy ? .acceptBusy : .accept, out)
  }

  /// Takes a session's request. One of a session that the desk does not know is ignored.
  public mutating func handle(_ request: DeskRequest, from session: SessionID, now: Moment) -> [DeskAction] {
    var out: [DeskAction] = []
    guard sessions[session] != nil else { return out }
    switch request {
    case .initialRequestArrived: opened(session)
    case .invalidToken(let token, let why): report(token, why, session, now, &out)
    case .enter(let visitor): enter(visitor, session, now, &out)
    case .renewPIN: renew(session, now, &out)
    case .wrongPIN(let left): wrongPIN(session, left, now, &out)
    case .confirmationFailed: confirmationFailed(session, now, &out)
    case .consumePIN: consumePIN(session, now, &out)
    case .leave(let outcome): leave(session, outcome, now, &out)
    case .closed:
      leave(session, nil, now, &out)
      opened(session)
      sessions[session] = nil
    }
    return out
  }

  /// Whether what was typed, or confirmed, is being decided: until it is, keys do nothing. A view follows when it is.
  public var isChecking: Bool {
    if case .greeting = screen { keypad.isChecking } else { false }
  }

  /// Takes a key of the kiosk's keypad.
  public mutating func press(_ key: KeypadKey, now: Moment) -> [DeskAction] {
    var out: [DeskAction] = []
    guard profile.offersKeypad, case .greeting(let session) = screen, sessions[session]?.seat?.pin != nil,
      failures.keypadWait(now: now.monotonic) == .zero
    else { return out }
    switch keypad.press(key, now: now.monotonic, reveal: settings.reveal) {
    case .nothing: return out
    case .changed(let reveals):
      sessions[session]?.seat?.hint = .confirm
      out.append(reveals ? .startTimer(.reveal, settings.reveal) : .stopTimer(.reveal))
    case .complete(let pin):
      sessions[session]?.seat?.hint = .checking
      out.append(.stopTimer(.reveal))
      out.append(.deliver(.digitsTyped(pin), to: session))
    }
    out.append(.show(view))
    return out
  }

  /// Takes a timer that ran out. One that was stopped or restarted in the same instant does no harm.
  public mutating func timerFired(_ timer: DeskTimer, now: Moment) -> [DeskAction] {
    var out: [DeskAction] = []
    switch timer {
    case .reveal:
      if keypad.mask(now: now.monotonic) { out.append(.show(view)) }
    case .outcome:
      if case .outcome(_, _, let until) = screen, now.monotonic >= until { callNext(now, &out) }
    case .queue: tellWaiting(&out)
    case .keypad:
      unlockKeypad(now, &out)
    case .log:
      let count = reports.takeSuppressed()
      if count > 0 { out.append(.report(.invalidTokensSuppressed(count: count))) }
    }
    return out
  }

  /// Frees the place of the oldest half-open session; false where there is none.
  private mutating func displaceOldest(_ out: inout [DeskAction]) -> Bool {
    let oldest = sessions.lazy.filter(\.value.isHalfOpen).min { $0.value.number < $1.value.number }
    guard let oldest = oldest?.key else { return false }
    opened(oldest)
    out.append(.deliver(.displaced, to: oldest))
    return true
  }

  private mutating func opened(_ session: SessionID) {
    guard sessions[session]?.isHalfOpen == true else { return }
    sessions[session]?.isHalfOpen = false
    halfOpen -= 1
    guard let peer = sessions[session]?.peer, let count = halfOpenByPeer[peer] else { return }
    halfOpenByPeer[peer] = count > 1 ? count - 1 : nil
  }

  private mutating func report(
    _ token: Digest, _ why: InvalidToken, _ session: SessionID, _ now: Moment, _ out: inout [DeskAction]
  ) {
    if reports.admits(now: now.monotonic) {
      out.append(.report(.invalidToken(session: session, token: token.prefix, why: why)))
    } else if reports.suppressed == 1 {
      out.append(.startTimer(.log, .seconds(1)))
    }
  }
}
