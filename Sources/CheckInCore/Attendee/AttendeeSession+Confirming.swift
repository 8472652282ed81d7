/// From the PIN to the answer.
extension AttendeeSession {
  /// Something came from the kiosk.
  mutating func receive(_ body: [UInt8], _ now: Moment, _ out: inout [AttendeeAction]) {
    switch take() {
    case .idle: preconditionFailure("the session was not started")
    case .ended: break
    case .connected:
      state = .connected
      greeted(body, now, &out)
    case .presented(var joined, let until, let isCancelled):
      state = .presented(joined, until: until, isCancelled: isCancelled)
      guard let message = open(body, &joined, &out) else { return }
      state = .presented(joined, until: until, isCancelled: isCancelled)
      if let message { answered(message, joined, until: until, isCancelled: isCancelled, now, &out) }
    case .confirming(var confirming):
      state = .confirming(confirming)
      guard let message = open(body, &confirming.joined, &out) else { return }
      state = .confirming(confirming)
      if let message { heard(message, confirming, now, &out) }
    case .parting(var joined):
      state = .parting(joined)
      guard let message = open(body, &joined, &out) else { return }
      state = .parting(joined)
      switch message {
      case nil: break
      case .goodbye?: end(.finished, &out)
      default: breakOff(.unexpectedMessage, &out)
      }
    }
  }

  /// Opens a message: nil when it was not genuine, and then the session is over; a nil inside when it has nothing to say.
  private mutating func open(_ body: [UInt8], _ joined: inout Joined, _ out: inout [AttendeeAction]) -> Message?? {
    do throws(MessageError) {
      return .some(try joined.conversation.open(body, cryptography: cryptography))
    } catch {
      breakOff(SessionFault(error) ?? .malformed, &out)
      return nil
    }
  }

  /// The kiosk's first answer.
  private mutating func answered(
    _ message: Message, _ joined: Joined, until: MonotonicTime, isCancelled: Bool, _ now: Moment,
    _ out: inout [AttendeeAction]
  ) {
    switch message {
    case .pin(let message):
      out.append(.report(.pinReceived(attemptsLeft: Int(clamping: message.attemptsLeft))))
      let confirming = Confirming(
        joined: joined, pin: message.pin, deadline: now.monotonic + message.lifetime,
        attemptsLeft: Int(clamping: message.attemptsLeft), stage: .cancelling(.cancelled), until: until)
      if isCancelled { return state = .confirming(confirming) }
      out.append(.stopTimer(.answer))
      ask(confirming, now, &out)
    case .result(let result): concluded(result, joined, isAsking: false, &out)
    case .goodbye: leftUnanswered(.peerFinished, isCancelled ? .cancelled : nil, &out)
    default: breakOff(.unexpectedMessage, &out)
    }
  }

  /// Something from the kiosk while the person confirms.
  private mutating func heard(
    _ message: Message, _ confirming: Confirming, _ now: Moment, _ out: inout [AttendeeAction]
  ) {
    var confirming = confirming
    switch message {
    case .pin(let message):
      out.append(.report(.pinReceived(attemptsLeft: Int(clamping: message.attemptsLeft))))
      confirming.pin = message.pin
      confirming.deadline = now.monotonic + message.lifetime
      confirming.attemptsLeft = Int(clamping: message.attemptsLeft)
      switch confirming.stage {
      case .sent(let authenticator, let evidence): send(evidence, by: authenticator, confirming, now, &out)
      case .typing(let cause): showPIN(because: cause, confirming, now, &out)
      case .asking, .cancelling: wait(confirming, now, &out)
      }
    case .notice(let notice):
      out.append(.report(.notice(notice)))
      out.append(.show(.notice(notice)))
      noticed(notice, confirming, now, &out)
    case .result(let result):
      concluded(result, confirming.joined, isAsking: confirming.isAsking, &out)
    case .goodbye:
      if confirming.isAsking { out.append(.stopAsking) }
      if case .cancelling(let outcome) = confirming.stage { return leftUnanswered(.peerFinished, outcome, &out) }
      leftUnanswered(.peerFinished, nil, &out)
    default:
      breakOff(.unexpectedMessage, &out)
    }
  }

  private mutating func noticed(
    _ notice: Message.Notice, _ confirming: Confirming, _ now: Moment, _ out: inout [AttendeeAction]
  ) {
    var confirming = confirming
    switch (notice, confirming.stage) {
    case (.wrongPIN(let left), _):
      confirming.attemptsLeft = Int(clamping: left)
      wait(confirming, now, &out)
    case (.confirmationFailed(let left), .sent):
      if confirming.joined.offersKeypad {
        showPIN(because: .failed, confirming, now, &out)
      } else if left > 0 {
        ask(confirming, now, &out)
      } else {
        wait(confirming, now, &out)
      }
    default:
      wait(confirming, now, &out)
    }
  }

  /// Asks the person by the authenticator, or shows the PIN where there is none.
  private mutating func ask(_ confirming: Confirming, _ now: Moment, _ out: inout [AttendeeAction]) {
    var confirming = confirming
    guard let authenticator = confirming.joined.authenticator else {
      return showPIN(because: .chosen, confirming, now, &out)
    }
    confirming.stage = .asking(authenticator)
    let identity = confirming.joined.identity
    let context = ConfirmationContext(
      event: identity.event, kiosk: identity.kiosk, gate: identity.gate, session: identity.session, request: request,
      transcript: confirming.joined.conversation.transcript, attendee: profile.name)
    out.append(.show(.confirm(authenticator: authenticator)))
    out.append(.askConfirmation(authenticator: authenticator, context: context))
    wait(confirming, now, &out)
  }

  mutating func confirmed(_ confirmation: Confirmation, _ now: Moment, _ out: inout [AttendeeAction]) {
    switch take() {
    case .confirming(let confirming):
      guard case .asking(let authenticator) = confirming.stage else { return state = .confirming(confirming) }
      switch confirmation {
      case .confirmed(let evidence) where evidence.count <= MessageLimits.evidence:
        out.append(.report(.confirmed(authenticator: authenticator)))
        out.append(.show(.checking))
        send(evidence, by: authenticator, confirming, now, &out)
      case .confirmed: useKeypad(.failed, confirming, now, &out)
      case .useKeypad(let cause): useKeypad(cause, confirming, now, &out)
      case .cancelled: giveUp(.cancelled, confirming, now, &out)
      }
    case let other:
      state = other
    }
  }

  private mutating func useKeypad(
    _ cause: Confirmation.KeypadCause, _ confirming: Confirming, _ now: Moment, _ out: inout [AttendeeAction]
  ) {
    guard confirming.joined.offersKeypad || cause == .chosen else {
      out.append(.show(.noKeypad(cause)))
      return giveUp(.cancelled, confirming, now, &out)
    }
    showPIN(because: cause, confirming, now, &out)
  }

  private mutating func showPIN(
    because cause: Confirmation.KeypadCause?, _ confirming: Confirming, _ now: Moment, _ out: inout [AttendeeAction]
  ) {
    var confirming = confirming
    if case .typing = confirming.stage {} else { out.append(.report(.keypad(cause))) }
    out.append(
      .show(
        .pin(
          .init(
            pin: confirming.pin, deadline: confirming.deadline, attemptsLeft: confirming.attemptsLeft, cause: cause))))
    confirming.stage = .typing(cause)
    wait(confirming, now, &out)
  }

  private mutating func send(
    _ evidence: [UInt8], by authenticator: String, _ confirming: Confirming, _ now: Moment,
    _ out: inout [AttendeeAction]
  ) {
    var confirming = confirming
    let message = Message.CheckInRequest(
      request: request, pin: confirming.pin, authenticator: authenticator, evidence: evidence)
    guard say(.checkInRequest(message), &confirming.joined, &out) else { return }
    confirming.stage = .sent(authenticator, evidence: evidence)
    wait(confirming, now, &out)
  }

  /// Tells the kiosk that it is over, and hears what the kiosk makes of it.
  mutating func giveUp(
    _ outcome: AttendeeOutcome, _ confirming: Confirming, _ now: Moment, _ out: inout [AttendeeAction]
  ) {
    var confirming = confirming
    if confirming.isAsking { out.append(.stopAsking) }
    guard say(.cancel, &confirming.joined, &out) else { return }
    confirming.stage = .cancelling(outcome)
    confirming.until = now.monotonic + settings.answerWait
    out.append(.stopTimer(.person))
    out.append(.startTimer(.answer, settings.answerWait))
    state = .confirming(confirming)
  }

  /// Starts the wait that fits the stage anew.
  private mutating func wait(_ confirming: Confirming, _ now: Moment, _ out: inout [AttendeeAction]) {
    var confirming = confirming
    switch confirming.stage {
    case .asking, .typing:
      out.append(.stopTimer(.answer))
      out.append(.startTimer(.person, settings.personWait))
      confirming.until = now.monotonic + settings.personWait
    case .sent:
      out.append(.stopTimer(.person))
      out.append(.startTimer(.answer, settings.answerWait))
      confirming.until = now.monotonic + settings.answerWait
    case .cancelling:
      // Begun when the kiosk was told; nothing that it says but its answer lengthens it.
      break
    }
    state = .confirming(confirming)
  }
}

extension AttendeeSessionState.Confirming {
  /// Whether a question to the person is open.
  var isAsking: Bool {
    if case .asking = stage { true } else { false }
  }
}
