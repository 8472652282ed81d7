/// From the decision to the end.
extension KioskSession {
  typealias Bound = KioskSessionState.Bound

  /// Something came from the phone.
  mutating func receive(_ body: [UInt8], _ now: Moment, _ out: inout [KioskAction]) {
    switch take() {
    case .idle: preconditionFailure("the session was not started")
    case .ended: break
    case .silent(let how): state = .silent(how)
    case .greeted(let handshake, let isBusy): presented(body, to: handshake, isBusy: isBusy, &out)
    case .judging(var judging):
      guard judging.held.append(body) else { return fallSilent(.flood, &out) }
      state = .judging(judging)
    case .deciding(var deciding):
      guard hear(body, &deciding, &out) else { return }
      state = .deciding(deciding)
    case .confirming(var confirming):
      do throws(MessageError) {
        guard let message = try confirming.bound.conversation.open(body, cryptography: cryptography) else {
          return state = .confirming(confirming)
        }
        heard(message, confirming, now, &out)
      } catch {
        breakOff(SessionFault(error) ?? .malformed, confirming, &out)
      }
    case .storing(var storing):
      let went = late(body, &storing.bound, &out)
      storing.gone = storing.gone ?? went
      state = .storing(storing)
    case .parting(var bound, let how):
      switch late(body, &bound, &out) {
      case nil: state = .parting(bound, how: how)
      case .fault(let fault)?: end(.fault(fault), abruptly: true, &out)
      case .some: end(how, &out)
      }
    }
  }

  /// Something that comes after the decision: it must be genuine, and changes nothing. Answers how the phone went, if
  /// it did.
  private func late(_ body: [UInt8], _ bound: inout Bound, _ out: inout [KioskAction]) -> SessionEnd? {
    do throws(MessageError) {
      guard case .goodbye? = try bound.conversation.open(body, cryptography: cryptography) else { return nil }
      return .peerFinished
    } catch {
      let fault = SessionFault(error) ?? .malformed
      out.append(.report(.protocolError(session: id, fault: fault)))
      return .fault(fault)
    }
  }

  /// Has a refusal stored, which is then told.
  mutating func refuse(_ answer: Answer, _ bound: Bound, _ now: Moment, _ out: inout [KioskAction]) {
    let entry = entry(bound, now)
    out.append(.refuse(entry, answer))
    state = .storing(.init(bound: bound, entry: entry, refusal: answer))
  }

  mutating func stored(_ answer: Answer, _ now: Moment, _ out: inout [KioskAction]) {
    switch take() {
    case .storing(let storing): stored(answer, storing, &out)
    case let other:
      precondition(other.phase > .storing, "nothing was to be stored")
      state = other
    }
  }

  private mutating func stored(_ answer: Answer, _ storing: KioskSessionState.Storing, _ out: inout [KioskAction]) {
    let holder = storing.bound.holder
    let isOurs = storing.isAdmission && answer.admittedAt == storing.entry.time && answer.gate == storing.entry.gate
    if answer.isSuccess, isOurs {
      out.append(
        .report(
          .checkedIn(
            session: id, attendee: holder.attendee, name: holder.name, gate: storing.entry.gate,
            at: storing.entry.time)))
    } else if answer.isSuccess {
      out.append(.report(.answeredAgain(session: id, attendee: holder.attendee, reason: answer.reason)))
    } else {
      reportFailure(answer.reason, holder, &out)
    }
    // A session that was replaced has nothing to say on the screen that the new one may have by now.
    out.append(.desk(.leave(answer.reason == .superseded ? nil : KioskOutcome(name: holder.name, answer: answer))))
    depart(answer, storing.bound, gone: storing.gone, &out)
  }

  mutating func ledgerFailed(_ now: Moment, _ out: inout [KioskAction]) {
    switch take() {
    case .deciding(let deciding): fail(deciding.bound, gone: nil, &out)
    case .confirming(let confirming): fail(confirming.bound, gone: nil, &out)
    case .storing(let storing):
      // It says what the ledger already holds, so the same request would be told the same again (R18).
      if let answer = storing.refusal, answer.reason == .alreadyAdmitted { return stored(answer, storing, &out) }
      fail(storing.bound, gone: storing.gone, &out)
    case let other:
      precondition(other.phase >= .silent, "the ledger was not asked")
      state = other
    }
  }

  /// Without its ledger the kiosk decides nothing: the phone is told so, and may ask again with the same request.
  private mutating func fail(_ bound: Bound, gone: SessionEnd?, _ out: inout [KioskAction]) {
    let answer = Answer(.internal)
    reportFailure(.internal, bound.holder, &out)
    out.append(.stopTimer(.pin))
    out.append(.desk(.leave(KioskOutcome(name: bound.holder.name, answer: answer))))
    depart(answer, bound, gone: gone, &out)
  }

  /// Tells an answer that is not stored, because it says nothing of the request: the same one may come again.
  mutating func tell(_ answer: Answer, _ bound: Bound, _ out: inout [KioskAction]) {
    reportFailure(answer.reason, bound.holder, &out)
    part(answer, bound, &out)
  }

  /// Ends without an answer, because the request is not answered yet; says goodbye for that.
  mutating func handOver(_ how: SessionEnd, _ bound: Bound, _ out: inout [KioskAction]) {
    var bound = bound
    out.append(.desk(.leave(nil)))
    guard say(.goodbye, &bound, &out) else { return }
    awaitGoodbye(bound, how, &out)
  }

  private mutating func depart(_ answer: Answer, _ bound: Bound, gone: SessionEnd?, _ out: inout [KioskAction]) {
    switch gone {
    case nil: part(answer, bound, &out)
    case .peerFinished?: end(.peerFinished, &out)
    case let how?: end(how, abruptly: true, &out)
    }
  }

  /// The kiosk's last words.
  mutating func part(_ answer: Answer, _ bound: Bound, _ out: inout [KioskAction]) {
    var bound = bound
    let result = Message.Result(request: bound.request, answer: answer)
    guard say(.result(result), &bound, &out), say(.goodbye, &bound, &out) else { return }
    awaitGoodbye(bound, .finished, &out)
  }

  private mutating func awaitGoodbye(_ bound: Bound, _ how: SessionEnd, _ out: inout [KioskAction]) {
    out.append(.startTimer(.goodbye, settings.goodbyeWait))
    state = .parting(bound, how: how)
  }

  private func reportFailure(_ reason: Reason, _ holder: TokenHolder, _ out: inout [KioskAction]) {
    out.append(.report(.checkInFailed(session: id, attendee: holder.attendee, name: holder.name, reason: reason)))
  }

  /// The phone broke the protocol at the frames.
  mutating func breakOff(_ fault: SessionFault, _ out: inout [KioskAction]) {
    switch take() {
    case .storing(var storing):
      if storing.gone == nil {
        out.append(.report(.protocolError(session: id, fault: fault)))
        storing.gone = .fault(fault)
      }
      state = .storing(storing)
    case .judging: fallSilent(fault, &out)
    case .silent(let how): state = .silent(how)
    case .ended: break
    case let other:
      if other.hasPlace { out.append(.desk(.leave(nil))) }
      breakOff(reporting: fault, &out)
    }
  }

  mutating func breakOff(_ fault: SessionFault, _ confirming: Confirming, _ out: inout [KioskAction]) {
    out.append(.desk(.leave(nil)))
    breakOff(reporting: fault, &out)
  }

  mutating func breakOff(reporting fault: SessionFault, _ out: inout [KioskAction]) {
    out.append(.report(.protocolError(session: id, fault: fault)))
    end(.fault(fault), abruptly: true, &out)
  }

  /// The session is over, and its place at the desk is free.
  mutating func leave(_ how: SessionEnd, abruptly: Bool = false, _ out: inout [KioskAction]) {
    if state.hasPlace { out.append(.desk(.leave(nil))) }
    end(how, abruptly: abruptly, &out)
  }

  /// The session is over.
  mutating func end(_ how: SessionEnd, abruptly: Bool = false, _ out: inout [KioskAction]) {
    out.append(.desk(.closed))
    out.append(.report(.sessionEnded(session: id, how: how)))
    out.append(abruptly ? .abort : .close)
    state = .ended
  }
}
