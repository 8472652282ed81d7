/// What wrong digits and refused confirmations bring (R3, R15).
extension KioskDesk {
  mutating func wrongPIN(_ session: SessionID, _ left: Int, _ now: Moment, _ out: inout [DeskAction]) {
    guard let token = sessions[session]?.seat?.visitor.token else { return }
    failures.count(token, now: now.monotonic)
    sessions[session]?.seat?.attemptsLeft = left
    if left == 0 {
      sessions[session]?.seat?.pin = nil
      let wait = failures.wait(for: token, now: now.monotonic).roundedUp
      out.append(.deliver(.turnedAway(.tooManyAttempts, retryAfter: wait), to: session))
    }
    if isOnScreen(session) {
      clearKeypad(&out)
      if left == 0 { keypad.close() }
      sessions[session]?.seat?.hint = left == 0 ? .checking : .wrongPIN
    }
    settleKeypad(now, &out)
  }

  mutating func confirmationFailed(_ session: SessionID, _ now: Moment, _ out: inout [DeskAction]) {
    guard let token = sessions[session]?.seat?.visitor.token else { return }
    failures.count(token, now: now.monotonic)
    if isOnScreen(session), !keypad.isChecking { sessions[session]?.seat?.hint = .confirmationFailed }
    settleKeypad(now, &out)
  }

  /// Rests the keypad if it has to rest, whoever is on the screen, and shows how things stand.
  private mutating func settleKeypad(_ now: Moment, _ out: inout [DeskAction]) {
    guard case .greeting = screen else { return }
    lockKeypad(now, &out)
    out.append(.show(view))
  }

  /// Too many failures at this kiosk rest the keypad for a while (R3). What was typed is taken back.
  mutating func lockKeypad(_ now: Moment, _ out: inout [DeskAction]) {
    let wait = failures.keypadWait(now: now.monotonic)
    guard wait > .zero, profile.offersKeypad, case .greeting(let session) = screen, !keypad.isChecking else { return }
    clearKeypad(&out)
    sessions[session]?.seat?.hint = .locked(until: now.monotonic + wait)
    out.append(.startTimer(.keypad, wait))
  }

  mutating func unlockKeypad(_ now: Moment, _ out: inout [DeskAction]) {
    guard case .greeting(let session) = screen, case .locked(let until)? = sessions[session]?.seat?.hint,
      now.monotonic >= until
    else { return }
    sessions[session]?.seat?.hint = .confirm
    out.append(.show(view))
  }

  mutating func clearKeypad(_ out: inout [DeskAction]) {
    keypad.clear()
    out.append(.stopTimer(.reveal))
  }
}
