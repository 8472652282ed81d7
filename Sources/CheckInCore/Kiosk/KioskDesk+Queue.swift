/// The queue, the live PINs and the screen.
extension KioskDesk {
  /// What the screen shows at this moment; at the start, the first thing to show.
  public var view: KioskView {
    switch screen {
    case .free:
      return .welcome(.init(event: profile.event, kiosk: profile.kiosk, gate: profile.gate))
    case .outcome(let outcome, _, _):
      return .outcome(outcome)
    case .greeting(let session):
      guard let seat = sessions[session]?.seat else { preconditionFailure("the screen shows a session without a seat") }
      return .greeting(
        .init(
          session: session, name: seat.visitor.name, boxes: profile.offersKeypad ? keypad.boxes : nil,
          attemptsLeft: seat.attemptsLeft, deadline: seat.deadline, waiting: waiting.count, hint: seat.hint))
    }
  }

  mutating func enter(_ visitor: Visitor, _ session: SessionID, _ now: Moment, _ out: inout [DeskAction]) {
    precondition(sessions[session]?.seat == nil, "a session enters once")
    let wait = failures.wait(for: visitor.token, now: now.monotonic)
    guard wait <= .zero else {
      return out.append(.deliver(.turnedAway(.tooManyAttempts, retryAfter: wait.roundedUp), to: session))
    }
    guard let pin = drawPIN() else {
      return out.append(.deliver(.turnedAway(.busy, retryAfter: sessionSettings.busyRetry), to: session))
    }
    sessions[session]?.seat = DeskSeat(
      visitor: visitor, pin: pin, deadline: now.monotonic + sessionSettings.pinLifetime,
      attemptsLeft: sessionSettings.wrongPINs)
    waiting.append(session)
    out.append(.deliver(.pinIssued(pin), to: session))
    supersede(visitor, by: session, now, &out)
    switch screen {
    case .free: callNext(now, &out)
    case .greeting(let current) where current == session: break
    case .greeting:
      queueChanged(&out)
      out.append(.show(view))
    case .outcome(let outcome, let since, let until):
      queueChanged(&out)
      let earlier = max(since + settings.outcomeWhenBusy, now.monotonic)
      guard earlier < until else { break }
      screen = .outcome(outcome, since: since, until: earlier)
      out.append(.startTimer(.outcome, earlier - now.monotonic))
    }
  }

  /// A new session of the same token ends the old one, and the old PIN dies at once (R6). An old one whose PIN is used up is
  /// being decided by the ledger already, and is left alone.
  private mutating func supersede(
    _ visitor: Visitor, by session: SessionID, _ now: Moment, _ out: inout [DeskAction]
  ) {
    let old = firstSeated { $0 != session && $1.pin != nil && $1.visitor.token == visitor.token }
    guard let old else { return }
    out.append(.deliver(.superseded(by: visitor.request), to: old))
    leave(old, nil, now, &out)
  }

  /// A PIN that no other live session has (R6); nil only if the random source gives the same again and again.
  private func drawPIN() -> PIN? {
    for _ in 0..<64 {
      let pin = PIN(random: cryptography)
      if firstSeated(where: { $1.pin?.matches(pin) == true }) == nil { return pin }
    }
    return nil
  }

  /// The first session of which that is true, among those that have a seat: the one on the screen, and those who wait.
  private func firstSeated(where condition: (SessionID, DeskSeat) -> Bool) -> SessionID? {
    func matches(_ session: SessionID) -> Bool {
      if let seat = sessions[session]?.seat { condition(session, seat) } else { false }
    }
    if case .greeting(let session) = screen, matches(session) { return session }
    return waiting.first(where: matches)
  }

  mutating func renew(_ session: SessionID, _ now: Moment, _ out: inout [DeskAction]) {
    guard let old = sessions[session]?.seat?.pin else { return }
    let pin = drawPIN() ?? old
    sessions[session]?.seat?.pin = pin
    sessions[session]?.seat?.deadline = now.monotonic + sessionSettings.pinLifetime
    out.append(.deliver(.pinIssued(pin), to: session))
    if isOnScreen(session) {
      clearKeypad(&out)
      out.append(.show(view))
    }
  }

  mutating func consumePIN(_ session: SessionID, _ now: Moment, _ out: inout [DeskAction]) {
    sessions[session]?.seat?.pin = nil
    guard isOnScreen(session) else { return }
    keypad.close()
    sessions[session]?.seat?.hint = .checking
    out.append(.stopTimer(.reveal))
    out.append(.show(view))
  }

  /// Frees the session's place. The screen shows the outcome if it was this session's, or nobody's.
  mutating func leave(_ session: SessionID, _ outcome: KioskOutcome?, _ now: Moment, _ out: inout [DeskAction]) {
    let hadScreen = isOnScreen(session)
    sessions[session]?.seat = nil
    if hadScreen {
      clearKeypad(&out)
      screen = .free
    } else if let index = waiting.firstIndex(of: session) {
      waiting.remove(at: index)
      queueChanged(&out)
      if case .greeting = screen { out.append(.show(view)) }
      return
    }
    guard case .free = screen else { return }
    if let outcome {
      let time = waiting.isEmpty ? settings.outcome : settings.outcomeWhenBusy
      screen = .outcome(outcome, since: now.monotonic, until: now.monotonic + time)
      out.append(.startTimer(.outcome, time))
      out.append(.show(view))
    } else if hadScreen {
      callNext(now, &out)
    }
  }

  /// The first who waits gets the screen; nobody: welcome.
  mutating func callNext(_ now: Moment, _ out: inout [DeskAction]) {
    clearKeypad(&out)
    out.append(.stopTimer(.outcome))
    if waiting.isEmpty {
      screen = .free
    } else {
      let session = waiting.removeFirst()
      screen = .greeting(session)
      lockKeypad(now, &out)
      out.append(.deliver(.onScreen, to: session))
      queueChanged(&out)
    }
    out.append(.show(view))
  }

  func isOnScreen(_ session: SessionID) -> Bool {
    if case .greeting(session) = screen { true } else { false }
  }

  /// Those who wait are told after a pause, so that a queue that moves fast costs no signature for each who waits whenever
  /// one leaves.
  private mutating func queueChanged(_ out: inout [DeskAction]) {
    guard !waiting.isEmpty, !isNewsOfQueueDue else { return }
    isNewsOfQueueDue = true
    out.append(.startTimer(.queue, settings.noticePause))
  }

  /// Tells who has not been told yet; then the next few each time, and the others now and then.
  mutating func tellWaiting(_ out: inout [DeskAction]) {
    isNewsOfQueueDue = false
    for (index, session) in waiting.enumerated() {
      // The one on the screen is before them; an outcome is, too.
      let ahead = index + 1
      let told = sessions[session]?.seat?.toldAhead
      guard told != ahead, told == nil || ahead <= 3 || ahead % 10 == 0 else { continue }
      sessions[session]?.seat?.toldAhead = ahead
      out.append(.deliver(.waiting(ahead: ahead), to: session))
    }
  }
}

extension Duration {
  /// Whole seconds, never less than it is.
  var roundedUp: Duration {
    .seconds(components.seconds + (components.attoseconds > 0 ? 1 : 0))
  }
}
