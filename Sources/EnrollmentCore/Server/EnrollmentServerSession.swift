public import CheckInCore

/// One connection to an enrollment server: a state machine that does nothing by itself.
///
/// It says hello, verifies who came, takes one request at a time, and lets each through to where it may go. Hand in what
/// happens, in order and from one place at a time, and carry out the actions that come back, in their order.
public struct EnrollmentServerSession<Crypto: Cryptography, Key: SigningKey>: ~Copyable, Sendable {
  /// Where a connection stands.
  private enum State {
    case idle
    case greeting(EnrollmentServerHandshake)
    case open(Open)
    case parting(EnrollmentConversation)
    case ended
  }

  private struct Open {
    var conversation: EnrollmentConversation
    let client: Digest
    var isLoggedIn = false
    /// The operation that is being worked at.
    var working: EnrollmentOperation?
    /// Whether the session ends with the answer to it.
    var isStopping = false
  }

  private let name: String
  private let peer: EnrollmentPeer
  private let peerKey: PublicKey
  private let settings: EnrollmentServerSettings
  private let binding: [UInt8]
  private let cryptography: Crypto
  private let key: Key
  private var state = State.idle

  /// A session for one connection.
  ///
  /// - Parameters:
  ///   - name: the service's name, for people.
  ///   - peer: who came, by the certificate.
  ///   - peerKey: the key of that certificate.
  ///   - settings: the bounds of the session.
  ///   - channelBinding: bytes that both ends know and no other connection has (RFC 5056).
  ///   - cryptography: hashes, verifies and draws random bytes.
  ///   - key: the key of the server's certificate.
  public init(
    name: String, peer: EnrollmentPeer, peerKey: PublicKey, settings: EnrollmentServerSettings = .init(),
    channelBinding: [UInt8]?, cryptography: Crypto, key: Key
  ) {
    self.name = name
    self.peer = peer
    self.peerKey = peerKey
    self.settings = settings
    binding = channelBinding ?? []
    self.cryptography = cryptography
    self.key = key
  }

  /// Whether the session is over: its last action was ``EnrollmentServerAction/close`` or
  /// ``EnrollmentServerAction/abort``.
  public var isEnded: Bool {
    if case .ended = state { true } else { false }
  }

  /// Takes one input and answers what to do.
  ///
  /// - Precondition: ``EnrollmentServerInput/start`` comes first and once.
  public mutating func handle(_ input: EnrollmentServerInput, now: Moment) -> [EnrollmentServerAction] {
    var out: [EnrollmentServerAction] = []
    switch (input, state) {
    case (_, .ended): break
    case (.start, .idle): greet(now, &out)
    case (.start, _): preconditionFailure("a session is started once")
    case (_, .idle): preconditionFailure("a session is started before anything else")
    case (.received(let body), .greeting(let handshake)): opened(body, handshake, &out)
    case (.received(let body), .open(let open)): asked(body, open, &out)
    case (.received(let body), .parting(let conversation)): parted(body, conversation, &out)
    case (.answered(let answer), .open(let open)): answered(answer, open, &out)
    case (.answered, _): break
    case (.framingFailed, _): breakOff(.framing, &out)
    case (.timerFired(let timer), _): fired(timer, &out)
    case (.peerFinished, .parting): end(.finished, &out)
    case (.peerFinished, _): end(.peerFinished, &out)
    case (.peerLost, _): end(.peerLost, abruptly: true, &out)
    case (.stop, .open(let open)) where open.working == nil: part(open.conversation, &out)
    case (.stop, .open(var open)):
      // What is being worked at gets its answer.
      open.isStopping = true
      state = .open(open)
    case (.stop, _): end(.stopped, &out)
    }
    return out
  }

  private mutating func greet(_ now: Moment, _ out: inout [EnrollmentServerAction]) {
    let hello = EnrollmentMessage.Hello(
      versions: [EnrollmentProtocol.version], nonce: Nonce(Bytes16(random: cryptography)), name: name, time: now.wall)
    do throws(MessageError) {
      let handshake = try EnrollmentServerHandshake(
        hello: hello, binding: binding, key: key, cryptography: cryptography)
      state = .greeting(handshake)
      out.append(.send(handshake.body))
      out.append(.startTimer(.opening, settings.openingWait))
    } catch {
      end(.failed, abruptly: true, &out)
    }
  }

  private mutating func opened(
    _ body: [UInt8], _ handshake: EnrollmentServerHandshake, _ out: inout [EnrollmentServerAction]
  ) {
    do throws(MessageError) {
      let (opening, conversation) = try handshake.accept(body, signedBy: peerKey, cryptography: cryptography)
      guard opening.version == EnrollmentProtocol.version else { return breakOff(.wrongVersion, &out) }
      let client = cryptography.sha256(opening.client.bytes.span)
      state = .open(Open(conversation: conversation, client: client))
      out.append(.stopTimer(.opening))
      out.append(.startTimer(.idle, settings.idleWait))
      out.append(.report(.opened(peer, client: client)))
    } catch {
      breakOff(SessionFault(error) ?? .malformed, &out)
    }
  }

  private mutating func asked(_ body: [UInt8], _ open: Open, _ out: inout [EnrollmentServerAction]) {
    var open = open
    let message: EnrollmentMessage?
    do throws(MessageError) {
      message = try open.conversation.open(body, cryptography: cryptography)
    } catch {
      return breakOff(SessionFault(error) ?? .malformed, &out)
    }
    state = .open(open)
    switch message {
    case nil: break
    case .goodbye?: sayGoodbye(open.conversation, &out)
    case .request(let request)?:
      // The client asks when it was answered, and not before.
      guard open.working == nil else { return breakOff(.flood, &out) }
      open.working = request.operation
      state = .open(open)
      out.append(.stopTimer(.idle))
      out.append(.report(.asked(request.operation)))
      out.append(
        .perform(
          EnrollmentOrder(request: request, peer: peer, client: open.client, isLoggedIn: open.isLoggedIn)))
    default: breakOff(.unexpectedMessage, &out)
    }
  }

  private mutating func answered(
    _ answer: EnrollmentAnswer, _ open: Open, _ out: inout [EnrollmentServerAction]
  ) {
    var open = open
    guard let operation = open.working else { return }
    open.working = nil
    if operation == .logIn { open.isLoggedIn = answer.result == .done }
    do throws(MessageError) {
      out.append(.send(try open.conversation.seal(.answer(answer), key: key)))
      out.append(.report(.answered(operation, answer.result, answer.status)))
      if open.isStopping { return part(open.conversation, &out) }
      out.append(.startTimer(.idle, settings.idleWait))
      state = .open(open)
    } catch {
      end(.failed, abruptly: true, &out)
    }
  }

  /// The client has said goodbye: so do we.
  private mutating func sayGoodbye(_ conversation: EnrollmentConversation, _ out: inout [EnrollmentServerAction]) {
    part(conversation, &out)
    if case .parting = state { end(.finished, &out) }
  }

  /// Something came after our goodbye. A request that crossed it is not answered; the client asks again elsewhere.
  private mutating func parted(
    _ body: [UInt8], _ conversation: EnrollmentConversation, _ out: inout [EnrollmentServerAction]
  ) {
    var conversation = conversation
    do throws(MessageError) {
      let message = try conversation.open(body, cryptography: cryptography)
      state = .parting(conversation)
      if case .goodbye? = message { end(.finished, &out) }
    } catch {
      breakOff(SessionFault(error) ?? .malformed, &out)
    }
  }

  /// Says goodbye and waits for the other side's.
  private mutating func part(_ conversation: EnrollmentConversation, _ out: inout [EnrollmentServerAction]) {
    var conversation = conversation
    do throws(MessageError) {
      out.append(.send(try conversation.seal(.goodbye, key: key)))
      out.append(.stopTimer(.idle))
      out.append(.startTimer(.goodbye, settings.goodbyeWait))
      state = .parting(conversation)
    } catch {
      end(.failed, abruptly: true, &out)
    }
  }

  private mutating func fired(_ timer: EnrollmentServerTimer, _ out: inout [EnrollmentServerAction]) {
    switch (timer, state) {
    case (.opening, .greeting), (.goodbye, .parting): end(.timedOut(timer.rawValue), &out)
    case (.idle, .open(let open)) where open.working == nil: part(open.conversation, &out)
    default: break
    }
  }

  private mutating func breakOff(_ fault: SessionFault, _ out: inout [EnrollmentServerAction]) {
    end(.fault(fault), abruptly: true, &out)
  }

  private mutating func end(_ how: SessionEnd, abruptly: Bool = false, _ out: inout [EnrollmentServerAction]) {
    out.append(.report(.ended(how)))
    out.append(abruptly ? .abort : .close)
    state = .ended
  }
}
