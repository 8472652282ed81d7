/// From the PIN to the decision.
extension KioskSession {
  /// Something from the phone while its person is to confirm.
  mutating func heard(_ message: Message, _ confirming: Confirming, _ now: Moment, _ out: inout [KioskAction]) {
    var confirming = confirming
    switch message {
    case .cancel:
      wind(up: .refuse(.cancelled), confirming, now, &out)
    case .goodbye:
      out.append(.desk(.leave(nil)))
      end(.peerFinished, &out)
    case .checkInRequest(let request):
      guard request.request == confirming.bound.request else { return breakOff(.wrongRequest, confirming, &out) }
      guard confirming.confirmationsLeft > 0 else { return breakOff(.unexpectedMessage, confirming, &out) }
      guard confirming.heldRequest == nil else { return breakOff(.flood, confirming, &out) }
      confirming.heldRequest = request
      proceed(confirming, now, &out)
    default:
      breakOff(.unexpectedMessage, confirming, &out)
    }
  }

  /// Five digits from the keypad.
  mutating func typed(_ digits: PIN, _ confirming: Confirming, _ now: Moment, _ out: inout [KioskAction]) {
    var confirming = confirming
    if profile.offersKeypad, confirming.isOnScreen { confirming.heldDigits = digits }
    proceed(confirming, now, &out)
  }

  /// Ends the attempt as soon as no work is under way.
  mutating func wind(
    up ending: Confirming.Ending, _ confirming: Confirming, _ now: Moment, _ out: inout [KioskAction]
  ) {
    var confirming = confirming
    confirming.ending = confirming.ending ?? ending
    proceed(confirming, now, &out)
  }

  /// Does the next thing that is due, if no work is under way.
  mutating func proceed(_ confirming: Confirming, _ now: Moment, _ out: inout [KioskAction]) {
    var confirming = confirming
    while true {
      guard confirming.work == nil else { break }
      if let ending = confirming.ending { return conclude(ending, confirming, now, &out) }
      if now.monotonic >= confirming.deadline { return expire(confirming, now, &out) }
      if let digits = confirming.heldDigits {
        confirming.heldDigits = nil
        if confirming.pin.matches(digits) { return admit(confirming, now, &out) }
        recordWrongPIN(&confirming, now, &out)
      } else if let request = confirming.heldRequest {
        confirming.heldRequest = nil
        guard profile.offersOnPhone(request.authenticator) else {
          confirming.ending = .refuse(.authenticatorNotAccepted)
          continue
        }
        if confirming.pin.matches(request.pin) {
          confirming.work = .judging
          out.append(
            .judgeEvidence(
              request.evidence, authenticator: request.authenticator, context: context(confirming.bound)))
        } else if !confirming.forgivesReplaced(request.pin) {
          recordWrongPIN(&confirming, now, &out)
        }
      } else if confirming.isRenewalDue {
        confirming.isRenewalDue = false
        guard confirming.deadline - now.monotonic < settings.pinRenewal else { break }
        confirming.work = .renewing
        out.append(.desk(.renewPIN))
      } else {
        break
      }
    }
    state = .confirming(confirming)
  }

  mutating func evidenceJudged(_ convinces: Bool, _ now: Moment, _ out: inout [KioskAction]) {
    switch take() {
    case .confirming(var confirming):
      guard case .judging? = confirming.work else { preconditionFailure("no evidence was to be judged") }
      confirming.work = nil
      if convinces, confirming.ending == nil { return admit(confirming, now, &out) }
      guard !convinces else { return proceed(confirming, now, &out) }
      confirming.confirmationsLeft -= 1
      confirming.work = .recordingRefusal
      out.append(.recordFailure(failure(confirming, now)))
      state = .confirming(confirming)
    case let other:
      precondition(other.phase >= .storing, "no evidence was to be judged")
      state = other
    }
  }

  mutating func failureRecorded(_ now: Moment, _ out: inout [KioskAction]) {
    switch take() {
    case .confirming(var confirming):
      let attendee = confirming.bound.holder.attendee
      switch confirming.work {
      case .recordingWrongPIN?:
        let left = confirming.attemptsLeft
        out.append(.desk(.wrongPIN(attemptsLeft: left)))
        out.append(.report(.wrongPIN(session: id, attendee: attendee, attemptsLeft: left)))
        confirming.work = left == 0 ? .delaying : nil
        notify(.wrongPIN(attemptsLeft: UInt64(left)), unless: left == 0, confirming, now, &out)
      case .recordingRefusal?:
        let left = confirming.confirmationsLeft
        out.append(.desk(.confirmationFailed))
        out.append(.report(.confirmationFailed(session: id, attendee: attendee, attemptsLeft: left)))
        confirming.work = nil
        let isOver = left == 0 && !profile.offersKeypad
        if isOver { confirming.ending = confirming.ending ?? .refuse(.authenticatorNotAccepted) }
        notify(.confirmationFailed(attemptsLeft: UInt64(left)), unless: isOver, confirming, now, &out)
      default: preconditionFailure("no failure was to be recorded")
      }
    case let other:
      precondition(other.phase >= .storing, "no failure was to be recorded")
      state = other
    }
  }

  /// Tells the phone how things stand, and goes on.
  mutating func notify(
    _ notice: Message.Notice, unless isPointless: Bool = false, _ confirming: Confirming, _ now: Moment,
    _ out: inout [KioskAction]
  ) {
    var confirming = confirming
    guard isPointless || say(.notice(notice), &confirming.bound, &out) else { return }
    proceed(confirming, now, &out)
  }

  /// The PIN's time is over: on the screen that ends the attempt, in the queue it brings a new PIN.
  private mutating func expire(_ confirming: Confirming, _ now: Moment, _ out: inout [KioskAction]) {
    var confirming = confirming
    if confirming.isOnScreen { return conclude(.refuse(.pinExpired), confirming, now, &out) }
    confirming.heldRequest = nil
    confirming.work = .renewing
    out.append(.desk(.renewPIN))
    state = .confirming(confirming)
  }

  private mutating func conclude(
    _ ending: Confirming.Ending, _ confirming: Confirming, _ now: Moment, _ out: inout [KioskAction]
  ) {
    out.append(.stopTimer(.pin))
    switch ending {
    case .refuse(let reason):
      out.append(.desk(.consumePIN))
      refuse(Answer(reason), confirming.bound, now, &out)
    case .handOver:
      handOver(.superseded, confirming.bound, &out)
    }
  }

  private mutating func admit(_ confirming: Confirming, _ now: Moment, _ out: inout [KioskAction]) {
    let entry = entry(confirming.bound, now)
    out.append(.stopTimer(.pin))
    out.append(.desk(.consumePIN))
    out.append(.admit(entry))
    state = .storing(.init(bound: confirming.bound, entry: entry, refusal: nil))
  }

  /// Counts a guess. The ledger has it before anyone learns that it was wrong, so that no restart forgets it (R3).
  private func recordWrongPIN(_ confirming: inout Confirming, _ now: Moment, _ out: inout [KioskAction]) {
    confirming.attemptsLeft -= 1
    confirming.work = .recordingWrongPIN
    out.append(.recordFailure(failure(confirming, now)))
  }

  private func failure(_ confirming: Confirming, _ now: Moment) -> LedgerFailure {
    LedgerFailure(token: confirming.bound.token, kiosk: profile.kiosk, time: now.wall)
  }

  private func context(_ bound: KioskSessionState.Bound) -> ConfirmationContext {
    ConfirmationContext(
      event: profile.event, kiosk: profile.kiosk, gate: profile.gate, session: id, request: bound.request,
      transcript: bound.conversation.transcript, attendee: bound.holder.name)
  }
}
