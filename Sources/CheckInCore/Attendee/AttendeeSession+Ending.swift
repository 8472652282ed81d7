/// How an attempt ends.
extension AttendeeSession {
  /// The kiosk's answer. It counts only for the request that was made (R17).
  mutating func concluded(
    _ result: Message.Result, _ joined: Joined, isAsking: Bool, _ out: inout [AttendeeAction]
  ) {
    var joined = joined
    guard result.request == request else { return breakOff(.wrongRequest, &out) }
    if isAsking { out.append(.stopAsking) }
    let outcome = AttendeeOutcome.answered(result.answer)
    out.append(.report(.result(result.answer)))
    out.append(.show(.outcome(outcome)))
    out.append(.finish(outcome))
    out.append(.stopTimer(.answer))
    out.append(.stopTimer(.person))
    state = .parting(joined)
    do throws(MessageError) {
      out.append(.send(try joined.conversation.seal(.goodbye, key: key)))
      out.append(.startTimer(.goodbye, settings.goodbyeWait))
      state = .parting(joined)
    } catch {
      end(.failed, abruptly: true, &out)
    }
  }

  /// The kiosk is gone, or silent, and there is no answer.
  mutating func leftUnanswered(_ why: NoAnswer, _ other: AttendeeOutcome?, _ out: inout [AttendeeAction]) {
    let how: SessionEnd =
      switch why {
      case .noHello: .timedOut(AttendeeTimer.hello.rawValue)
      case .silence, .timedOut: .timedOut(AttendeeTimer.answer.rawValue)
      case .personTimedOut: .timedOut(AttendeeTimer.person.rawValue)
      case .peerFinished: .peerFinished
      case .peerLost, .unreachable: .peerLost
      }
    leftUnanswered(why, other, how, &out)
  }

  private mutating func leftUnanswered(
    _ why: NoAnswer, _ other: AttendeeOutcome?, _ how: SessionEnd, _ out: inout [AttendeeAction]
  ) {
    let outcome = other ?? .noAnswer(why)
    if case .noAnswer(let why) = outcome { out.append(.report(.noAnswer(why))) }
    finish(outcome, how, abruptly: how == .peerLost, &out)
  }

  mutating func fired(_ timer: AttendeeTimer, _ now: Moment, _ out: inout [AttendeeAction]) {
    switch take() {
    case .connected where timer == .hello: leftUnanswered(.noHello, nil, &out)
    case .presented(let joined, let until, let isCancelled):
      guard timer == .answer, now.monotonic >= until else {
        return state = .presented(joined, until: until, isCancelled: isCancelled)
      }
      leftUnanswered(.silence, isCancelled ? .cancelled : nil, &out)
    case .confirming(let confirming): fired(timer, confirming, now, &out)
    case .parting where timer == .goodbye: end(.timedOut(timer.rawValue), &out)
    case let other: state = other
    }
  }

  private mutating func fired(
    _ timer: AttendeeTimer, _ confirming: Confirming, _ now: Moment, _ out: inout [AttendeeAction]
  ) {
    guard now.monotonic >= confirming.until else { return state = .confirming(confirming) }
    switch (confirming.stage, timer) {
    case (.asking, .person), (.typing, .person): giveUp(.noAnswer(.personTimedOut), confirming, now, &out)
    case (.sent, .answer): leftUnanswered(.timedOut, nil, &out)
    case (.cancelling(let outcome), .answer): leftUnanswered(.timedOut, outcome, &out)
    default: state = .confirming(confirming)
    }
  }

  mutating func peerWent(_ why: NoAnswer, _ now: Moment, _ out: inout [AttendeeAction]) {
    switch take() {
    case .idle: preconditionFailure("the session was not started")
    case .ended: break
    case .connected: leftUnanswered(why, nil, &out)
    case .presented(_, let until, let isCancelled):
      // A kiosk that ends in good order without a word does so after its silence (R16), or because it was killed.
      let how: SessionEnd = why == .peerFinished ? .peerFinished : .peerLost
      let waited = settings.answerWait - (until - now.monotonic)
      let isSilence = why == .peerFinished && waited >= settings.shortestSilence
      leftUnanswered(isSilence ? .silence : why, isCancelled ? .cancelled : nil, how, &out)
    case .confirming(let confirming):
      if confirming.isAsking { out.append(.stopAsking) }
      if case .cancelling(let outcome) = confirming.stage { return leftUnanswered(why, outcome, &out) }
      leftUnanswered(why, nil, &out)
    case .parting: end(why == .peerFinished ? .finished : .peerLost, abruptly: why == .peerLost, &out)
    }
  }

  mutating func cancel(_ now: Moment, _ out: inout [AttendeeAction]) {
    switch take() {
    case .connected: finish(.cancelled, .stopped, &out)
    case .presented(var joined, _, isCancelled: false):
      guard say(.cancel, &joined, &out) else { return }
      out.append(.startTimer(.answer, settings.answerWait))
      state = .presented(joined, until: now.monotonic + settings.answerWait, isCancelled: true)
    case .presented: finish(.cancelled, .stopped, abruptly: true, &out)
    case .confirming(let confirming):
      if case .cancelling(let outcome) = confirming.stage {
        return finish(outcome, .stopped, abruptly: true, &out)
      }
      giveUp(.cancelled, confirming, now, &out)
    case let other: state = other
    }
  }

  /// The kiosk broke the protocol: nothing that it said counts any more, unless its answer was in already.
  mutating func breakOff(_ fault: SessionFault, _ out: inout [AttendeeAction]) {
    let phase = state.phase
    guard phase != .ended else { return }
    if phase == .confirming { out.append(.stopAsking) }
    out.append(.report(.protocolError(fault)))
    if phase == .parting { return end(.fault(fault), abruptly: true, &out) }
    finish(.protocolError(fault), .fault(fault), abruptly: true, &out)
  }

  /// The attempt is over without more words.
  mutating func finish(
    _ outcome: AttendeeOutcome, _ how: SessionEnd, abruptly: Bool = false, _ out: inout [AttendeeAction]
  ) {
    out.append(.show(.outcome(outcome)))
    out.append(.finish(outcome))
    end(how, abruptly: abruptly, &out)
  }

  /// The session is over.
  mutating func end(_ how: SessionEnd, abruptly: Bool = false, _ out: inout [AttendeeAction]) {
    out.append(.report(.sessionEnded(how: how)))
    out.append(abruptly ? .abort : .close)
    state = .ended
  }
}
