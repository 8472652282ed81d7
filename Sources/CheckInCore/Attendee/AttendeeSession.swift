/// One attempt of one attendee to check in, on the phone's side: a state machine that does nothing by itself.
///
/// Hand in what happens, in order and from one place at a time, and carry out the actions that come back, in their
/// order. Whatever the kiosk sends, it answers with actions; only wrong use by its own caller traps.
public struct AttendeeSession<Crypto: Cryptography, Key: SigningKey>: ~Copyable, Sendable {
  typealias Joined = AttendeeSessionState.Joined
  typealias Confirming = AttendeeSessionState.Confirming

  /// The attempt. A retry after a lost answer has the same one (R18).
  public let request: RequestID

  let profile: AttendeeProfile
  let settings: AttendeeSettings
  let binding: [UInt8]
  let cryptography: Crypto
  let key: Key
  var state: AttendeeSessionState = .idle

  /// A session for one connection.
  ///
  /// - Parameters:
  ///   - profile: who the attendee is and whom the phone trusts.
  ///   - settings: the bounds of the session.
  ///   - request: the attempt; nil draws a fresh one.
  ///   - channelBinding: bytes that both ends know and no other connection has (RFC 5056), where the transport has
  ///     them. Both sides must have the same, or nil.
  ///   - cryptography: hashes, verifies and draws random bytes.
  ///   - key: the key that the token names.
  public init(
    profile: AttendeeProfile, settings: AttendeeSettings = AttendeeSettings(), request: RequestID? = nil,
    channelBinding: [UInt8]? = nil, cryptography: Crypto, key: Key
  ) {
    self.request = request ?? RequestID(Bytes16(random: cryptography))
    self.profile = profile
    self.settings = settings
    binding = channelBinding ?? []
    self.cryptography = cryptography
    self.key = key
  }

  /// Takes one input and answers what to do.
  ///
  /// - Precondition: ``AttendeeInput/start`` comes first and once.
  public mutating func handle(_ input: AttendeeInput, now: Moment) -> [AttendeeAction] {
    if case .start = input {
      precondition(state.phase == .idle, "a session is started once")
    } else {
      precondition(state.phase != .idle, "a session is started before anything else")
    }
    var out: [AttendeeAction] = []
    switch input {
    case .start:
      out.append(.startTimer(.hello, settings.helloWait))
      state = .connected
    case .received(let body): receive(body, now, &out)
    case .framingFailed: breakOff(.framing, &out)
    case .confirmation(let confirmation): confirmed(confirmation, now, &out)
    case .timerFired(let timer): fired(timer, now, &out)
    case .peerFinished: peerWent(.peerFinished, now, &out)
    case .peerLost: peerWent(.peerLost, now, &out)
    case .cancel: cancel(now, &out)
    }
    return out
  }

  /// Whether the session is over: its last action was ``AttendeeAction/close`` or ``AttendeeAction/abort``. Inputs that
  /// come later are ignored.
  public var isEnded: Bool { state.phase == .ended }

  /// Takes the state out, to be put back changed; until then the session counts as ended.
  mutating func take() -> AttendeeSessionState {
    var taken = AttendeeSessionState.ended
    swap(&taken, &state)
    return taken
  }

  /// Sends a message in its turn; false when our key would not sign, and then the session is over.
  mutating func say(_ message: Message, _ joined: inout Joined, _ out: inout [AttendeeAction]) -> Bool {
    do throws(MessageError) {
      out.append(.send(try joined.conversation.seal(message, key: key)))
      return true
    } catch {
      finish(.failed, .failed, abruptly: true, &out)
      return false
    }
  }
}
