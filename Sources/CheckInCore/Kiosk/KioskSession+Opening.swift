/// From the hello to the PIN.
extension KioskSession {
  mutating func start(isBusy: Bool, _ now: Moment, _ out: inout [KioskAction]) {
    let hello = Message.Hello(
      versions: [CheckInProtocol.version], session: id, nonce: Nonce(Bytes16(random: cryptography)),
      credential: profile.credential, authenticators: profile.authenticators.map(\.name), gate: profile.gate,
      time: now.wall)
    do throws(MessageError) {
      let handshake = try KioskHandshake(hello: hello, binding: binding, key: key, cryptography: cryptography)
      out.append(.send(handshake.body))
      out.append(.startTimer(.initialRequest, settings.initialRequestWait))
      out.append(.startTimer(.session, settings.session))
      state = .greeted(handshake, isBusy: isBusy)
    } catch {
      end(.failed, abruptly: true, &out)
    }
  }

  /// The first message of the phone. Whatever is wrong with it, the time of the end is the same (R16).
  mutating func presented(
    _ body: [UInt8], to handshake: KioskHandshake, isBusy: Bool, _ out: inout [KioskAction]
  ) {
    out.append(.stopTimer(.initialRequest))
    out.append(.startTimer(.silence, settings.silence))
    out.append(.desk(.initialRequestArrived))
    do throws(MessageError) {
      let request = try UnverifiedRequest(body)
      guard request.request.version == CheckInProtocol.version else { return fallSilent(.wrongVersion, &out) }
      let token = request.request.token
      out.append(.judgeToken(token))
      state = .judging(
        .init(handshake: handshake, request: request, token: cryptography.sha256(token.span), isBusy: isBusy))
    } catch {
      fallSilent(SessionFault(error) ?? .malformed, &out)
    }
  }

  mutating func fallSilent(_ fault: SessionFault, _ out: inout [KioskAction]) {
    out.append(.report(.protocolError(session: id, fault: fault)))
    state = .silent(.fault(fault))
  }

  mutating func judged(_ verdict: TokenVerdict, _ now: Moment, _ out: inout [KioskAction]) {
    switch take() {
    case .judging(let judging): judged(verdict, judging, now, &out)
    case let other:
      precondition(other.phase >= .silent, "no token was to be judged")
      state = other
    }
  }

  private mutating func judged(
    _ verdict: TokenVerdict, _ judging: KioskSessionState.Judging, _ now: Moment, _ out: inout [KioskAction]
  ) {
    let holder: TokenHolder
    var refusal: Reason?
    switch verdict {
    case .invalid(let why): return ignoreToken(judging.token, why, &out)
    case .valid(let found): holder = found
    case .refused(let reason, let found):
      precondition(reason != .admitted, "a refusal cannot be an admission")
      (holder, refusal) = (found, reason)
    }
    let conversation: Conversation
    do throws(MessageError) {
      conversation = try judging.handshake.accept(judging.request, signedBy: holder.key, cryptography: cryptography)
    } catch {
      return ignoreToken(judging.token, .badSignature, &out)
    }
    let request = judging.request.request
    var deciding = KioskSessionState.Deciding(
      bound: Bound(holder: holder, token: judging.token, request: request.request, conversation: conversation))
    out.append(.stopTimer(.silence))
    out.append(.report(.initialRequest(session: id, attendee: holder.attendee, name: holder.name)))
    for body in judging.held.bodies {
      guard hear(body, &deciding, &out) else { return }
    }
    if judging.isBusy {
      return tell(Answer(.busy, retryAfter: settings.busyRetry), deciding.bound, &out)
    }
    if refusal == nil, !request.time.agrees(with: now.wall) { refusal = .clockSkew }
    refusal = refusal ?? holder.refusal(at: now.wall, gate: profile.gate)
    if let refusal { return refuse(Answer(refusal), deciding.bound, now, &out) }
    out.append(.consultLedger(attendee: holder.attendee, token: judging.token, request: request.request))
    state = .deciding(deciding)
  }

  /// What the phone says before it has a PIN: it can take its request back, or go. False when the session is over.
  mutating func hear(
    _ body: [UInt8], _ deciding: inout KioskSessionState.Deciding, _ out: inout [KioskAction]
  ) -> Bool {
    do throws(MessageError) {
      switch try deciding.bound.conversation.open(body, cryptography: cryptography) {
      case nil:
        return true
      case .cancel? where !deciding.isCancelled:
        deciding.isCancelled = true
        return true
      case .goodbye?:
        out.append(.desk(.leave(nil)))
        end(.peerFinished, &out)
      default:
        out.append(.desk(.leave(nil)))
        breakOff(reporting: .unexpectedMessage, &out)
      }
    } catch {
      out.append(.desk(.leave(nil)))
      breakOff(reporting: SessionFault(error) ?? .malformed, &out)
    }
    return false
  }

  private mutating func ignoreToken(_ token: Digest, _ why: InvalidToken, _ out: inout [KioskAction]) {
    out.append(.desk(.invalidToken(token: token, why: why)))
    state = .silent(.silence)
  }

  mutating func stands(_ standing: LedgerStanding, _ now: Moment, _ out: inout [KioskAction]) {
    switch take() {
    case .deciding(let deciding):
      let bound = deciding.bound
      switch standing {
      case .fresh where deciding.isCancelled:
        refuse(Answer(.cancelled), bound, now, &out)
      case .fresh:
        let visitor = Visitor(name: bound.holder.name, token: bound.token, request: bound.request)
        out.append(.desk(.enter(visitor)))
        state = .deciding(deciding)
      case .answered(let answer):
        out.append(.report(.answeredAgain(session: id, attendee: bound.holder.attendee, reason: answer.reason)))
        part(answer, bound, &out)
      case .admitted(let time, let gate):
        refuse(Answer(.alreadyAdmitted, admittedAt: time, gate: gate), bound, now, &out)
      }
    case let other:
      precondition(other.phase >= .silent, "the ledger was not asked")
      state = other
    }
  }

  /// The desk has a place for the session: the phone gets its PIN.
  mutating func admitted(
    toDeskWith pin: PIN, _ deciding: KioskSessionState.Deciding, _ now: Moment, _ out: inout [KioskAction]
  ) {
    guard !deciding.isCancelled else {
      out.append(.desk(.consumePIN))
      return refuse(Answer(.cancelled), deciding.bound, now, &out)
    }
    let confirming = Confirming(
      bound: deciding.bound, pin: pin, deadline: now.monotonic + settings.pinLifetime, settings: settings)
    out.append(.report(.pinIssued(session: id, attendee: deciding.bound.holder.attendee)))
    sendPIN(confirming, &out)
  }

  /// Tells the phone the PIN, starts its life, and goes on with the confirmation.
  mutating func sendPIN(_ confirming: Confirming, _ out: inout [KioskAction]) {
    var confirming = confirming
    let message = Message.PINMessage(
      pin: confirming.pin, lifetime: settings.pinLifetime, attemptsLeft: UInt64(confirming.attemptsLeft))
    guard say(.pin(message), &confirming.bound, &out) else { return }
    out.append(.startTimer(.pin, settings.pinLifetime))
    state = .confirming(confirming)
  }
}
