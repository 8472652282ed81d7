/// What comes from the desk, from timers and from the phone's connection.
extension KioskSession {
  mutating func noted(_ note: DeskNote, _ now: Moment, _ out: inout [KioskAction]) {
    if case .displaced = note, state.phase == .greeted { return end(.displaced, abruptly: true, &out) }
    switch take() {
    case .deciding(let deciding): noted(note, deciding, now, &out)
    case .confirming(let confirming): noted(note, confirming, now, &out)
    case let other: state = other
    }
  }

  private mutating func noted(
    _ note: DeskNote, _ deciding: KioskSessionState.Deciding, _ now: Moment, _ out: inout [KioskAction]
  ) {
    switch note {
    case .pinIssued(let pin): admitted(toDeskWith: pin, deciding, now, &out)
    case .turnedAway(.busy, let wait): tell(Answer(.busy, retryAfter: wait), deciding.bound, &out)
    case .turnedAway(let reason, let wait): refuse(Answer(reason, retryAfter: wait), deciding.bound, now, &out)
    case .superseded: handOver(.superseded, deciding.bound, &out)
    case .onScreen, .waiting, .digitsTyped, .displaced: state = .deciding(deciding)
    }
  }

  private mutating func noted(_ note: DeskNote, _ confirming: Confirming, _ now: Moment, _ out: inout [KioskAction]) {
    var confirming = confirming
    switch note {
    case .pinIssued(let pin):
      confirming.replacePIN(pin, deadline: now.monotonic + settings.pinLifetime)
      if case .renewing? = confirming.work { confirming.work = nil }
      sendPIN(confirming, &out)
      resume(now, &out)
    case .turnedAway(_, let wait):
      guard case .delaying? = confirming.work else { return state = .confirming(confirming) }
      out.append(.stopTimer(.pin))
      refuse(Answer(.tooManyAttempts, retryAfter: wait), confirming.bound, now, &out)
    case .onScreen:
      confirming.isOnScreen = true
      confirming.isRenewalDue = true
      notify(.onScreen, confirming, now, &out)
    case .waiting(let ahead):
      notify(.waiting(ahead: UInt64(ahead)), confirming, now, &out)
    case .digitsTyped(let digits):
      typed(digits, confirming, now, &out)
    case .displaced:
      // The request was on its way already.
      state = .confirming(confirming)
    case .superseded(let other):
      wind(up: other == confirming.bound.request ? .handOver : .refuse(.superseded), confirming, now, &out)
    }
  }

  /// Goes on with what was held while there was work.
  private mutating func resume(_ now: Moment, _ out: inout [KioskAction]) {
    switch take() {
    case .confirming(let confirming): proceed(confirming, now, &out)
    case let other: state = other
    }
  }

  mutating func fired(_ timer: KioskTimer, _ now: Moment, _ out: inout [KioskAction]) {
    if timer == .session, state.phase != .storing, state.phase != .ended {
      return leave(.timedOut(timer.rawValue), abruptly: true, &out)
    }
    switch take() {
    case .greeted where timer == .initialRequest: end(.timedOut(timer.rawValue), abruptly: true, &out)
    case .silent(let how) where timer == .silence: end(how, &out)
    case .judging where timer == .silence: end(.timedOut(timer.rawValue), &out)
    case .confirming(let confirming) where timer == .pin: proceed(confirming, now, &out)
    case .parting where timer == .goodbye: end(.timedOut(timer.rawValue), &out)
    case .storing(var storing) where timer == .session:
      storing.gone = storing.gone ?? .timedOut(timer.rawValue)
      state = .storing(storing)
    case let other: state = other
    }
  }

  mutating func peerWent(_ how: SessionEnd, _ out: inout [KioskAction]) {
    let isAbrupt = how == .peerLost
    switch take() {
    case .ended: break
    case .storing(var storing):
      storing.gone = storing.gone ?? how
      state = .storing(storing)
    case .parting(_, let planned):
      end(how == .peerFinished ? planned : how, abruptly: isAbrupt, &out)
    case let other:
      state = other
      leave(how, abruptly: isAbrupt, &out)
    }
  }

  mutating func stop(_ now: Moment, _ out: inout [KioskAction]) {
    if state.phase < .deciding { return end(.stopped, &out) }
    switch take() {
    case .deciding(let deciding): handOver(.stopped, deciding.bound, &out)
    case .confirming(let confirming): wind(up: .refuse(.cancelled), confirming, now, &out)
    case let other: state = other
    }
  }
}
