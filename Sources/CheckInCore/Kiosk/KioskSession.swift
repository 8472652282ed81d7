/// One phone's session at a kiosk: a state machine that does nothing by itself.
///
/// Hand in what happens, in order and from one place at a time, and carry out the actions that come back, in their
/// order. Whatever the phone sends, it answers with actions; only wrong use by its own caller traps.
public struct KioskSession<Crypto: Cryptography, Key: SigningKey>: ~Copyable, Sendable {
  /// The session's name, fresh and random (R12).
  public let id: SessionID

  let profile: KioskProfile
  let settings: KioskSettings
  let binding: [UInt8]
  let cryptography: Crypto
  let key: Key
  var state: KioskSessionState = .idle

  /// A session for one connection. Its identifier is drawn here.
  ///
  /// - Parameters:
  ///   - profile: who the kiosk is and what it accepts.
  ///   - settings: the bounds of the session.
  ///   - channelBinding: bytes that both ends know and no other connection has (RFC 5056), where the transport has
  ///     them. Both sides must have the same, or nil.
  ///   - cryptography: hashes, verifies and draws random bytes.
  ///   - key: the key that the profile's credential names.
  public init(
    profile: KioskProfile, settings: KioskSettings = KioskSettings(), channelBinding: [UInt8]? = nil,
    cryptography: Crypto, key: Key
  ) {
    id = SessionID(Bytes16(random: cryptography))
    self.profile = profile
    self.settings = settings
    binding = channelBinding ?? []
    self.cryptography = cryptography
    self.key = key
  }

  /// Takes one input and answers what to do.
  ///
  /// - Precondition: ``KioskInput/start(isBusy:)`` comes first and once, and nothing is answered that was not asked.
  public mutating func handle(_ input: KioskInput, now: Moment) -> [KioskAction] {
    var out: [KioskAction] = []
    if case .start = input {
      precondition(state.phase == .idle, "a session is started once")
    } else {
      precondition(state.phase != .idle, "a session is started before anything else")
    }
    switch input {
    case .start(let isBusy): start(isBusy: isBusy, now, &out)
    case .received(let body): receive(body, now, &out)
    case .framingFailed: breakOff(.framing, &out)
    case .tokenJudged(let verdict): judged(verdict, now, &out)
    case .standing(let standing): stands(standing, now, &out)
    case .stored(let answer): stored(answer, now, &out)
    case .failureRecorded: failureRecorded(now, &out)
    case .ledgerFailed: ledgerFailed(now, &out)
    case .evidenceJudged(let convinces): evidenceJudged(convinces, now, &out)
    case .desk(let note): noted(note, now, &out)
    case .timerFired(let timer): fired(timer, now, &out)
    case .peerFinished: peerWent(.peerFinished, &out)
    case .peerLost: peerWent(.peerLost, &out)
    case .stop: stop(now, &out)
    }
    return out
  }

  /// Whether the session is over: its last action was ``KioskAction/close`` or ``KioskAction/abort``. Inputs that come
  /// later are ignored.
  public var isEnded: Bool {
    state.phase == .ended
  }

  /// Takes the state out, to be put back changed; until then the session counts as ended.
  mutating func take() -> KioskSessionState {
    var taken = KioskSessionState.ended
    swap(&taken, &state)
    return taken
  }

  /// Sends a message in its turn; false when our key would not sign, and then the session is over.
  mutating func say(_ message: Message, _ bound: inout KioskSessionState.Bound, _ out: inout [KioskAction]) -> Bool {
    do throws(MessageError) {
      out.append(.send(try bound.conversation.seal(message, key: key)))
      return true
    } catch {
      out.append(.desk(.leave(nil)))
      end(.failed, abruptly: true, &out)
      return false
    }
  }

  /// The record of this attempt, for the ledger.
  func entry(_ bound: KioskSessionState.Bound, _ now: Moment) -> LedgerEntry {
    LedgerEntry(
      attendee: bound.holder.attendee, token: bound.token, request: bound.request, gate: profile.gate,
      kiosk: profile.kiosk, time: now.wall)
  }
}
