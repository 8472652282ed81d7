/// From the hello to the kiosk's first answer.
extension AttendeeSession {
  /// The kiosk introduces itself. The token goes out only if everything about it is right, and after the person could
  /// see who it is (R8).
  mutating func greeted(_ body: [UInt8], _ now: Moment, _ out: inout [AttendeeAction]) {
    let unverified: UnverifiedHello
    do throws(MessageError) {
      unverified = try UnverifiedHello(body)
    } catch {
      return breakOff(SessionFault(error) ?? .malformed, &out)
    }
    let hello = unverified.hello
    guard hello.versions.contains(CheckInProtocol.version) else { return breakOff(.wrongVersion, &out) }
    let credential: Credential
    switch judge(hello, now) {
    case .success(let found): credential = found
    case .failure(let refusal): return refuse(refusal, &out)
    }
    do throws(MessageError) {
      let handshake = try AttendeeHandshake(
        hello: unverified, signedBy: credential.key, binding: binding, cryptography: cryptography)
      let authenticator = hello.authenticators.first { profile.authenticators.contains($0) }
      let offersKeypad = hello.authenticators.contains(CheckInProtocol.keypadAuthenticator)
      guard authenticator != nil || offersKeypad else { return refuse(.noCommonAuthenticator, &out) }
      let identity = KioskIdentity(
        event: credential.eventName, kiosk: credential.name, gate: hello.gate, session: hello.session)
      let message = Message.InitialRequest(
        version: CheckInProtocol.version, request: request, nonce: Nonce(Bytes16(random: cryptography)),
        token: profile.token, time: now.wall)
      out.append(.stopTimer(.hello))
      out.append(.report(.kiosk(identity)))
      out.append(.show(.kiosk(identity)))
      present(message, handshake, identity, authenticator, offersKeypad: offersKeypad, now, &out)
    } catch {
      refuse(.badSignature, &out)
    }
  }

  private mutating func present(
    _ message: Message.InitialRequest, _ handshake: AttendeeHandshake, _ identity: KioskIdentity,
    _ authenticator: String?, offersKeypad: Bool, _ now: Moment, _ out: inout [AttendeeAction]
  ) {
    do throws(MessageError) {
      let (body, conversation) = try handshake.seal(message, key: key, cryptography: cryptography)
      out.append(.send(body))
      out.append(.report(.initialRequest(request: request)))
      out.append(.show(.presented))
      out.append(.startTimer(.answer, settings.answerWait))
      let joined = Joined(
        identity: identity, authenticator: authenticator, offersKeypad: offersKeypad, conversation: conversation)
      state = .presented(joined, until: now.monotonic + settings.answerWait, isCancelled: false)
    } catch {
      finish(.failed, .failed, abruptly: true, &out)
    }
  }

  private func judge(_ hello: Message.Hello, _ now: Moment) -> Result<Credential, KioskRefusal> {
    let credential: Credential
    do throws(CredentialError) {
      credential = try Credential(hello.credential, issuedBy: profile.issuer, cryptography: cryptography)
    } catch {
      if case .forged = error { return .failure(.wrongIssuer) }
      return .failure(.malformedCredential)
    }
    guard credential.role == .kiosk else { return .failure(.wrongRole) }
    guard credential.event == profile.event else { return .failure(.wrongEvent) }
    switch credential.validity.refusal(at: now.wall, gate: hello.gate) {
    case nil: return .success(credential)
    case .expired?: return .failure(.expired)
    case .wrongGate?: return .failure(.wrongGate)
    case .some: return .failure(.notYetValid)
    }
  }

  private mutating func refuse(_ refusal: KioskRefusal, _ out: inout [AttendeeAction]) {
    out.append(.report(.kioskRefused(refusal)))
    finish(.refusedKiosk(refusal), .stopped, &out)
  }
}
