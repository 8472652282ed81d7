/// One attempt of one attendee to check in, on the phone's side: a state machine that does nothing by itself.
///
/// Hand in what happens, in order and from one place at a time, and carry out the actions that come back, in their
/// order. Whatever the kiosk sends, it answers with actions; only wrong use by its own caller traps.
public struct AttendeeSession<Crypto: Cryptography, Key: SigningKey>: ~Copyable, Sendable {
  /// The attempt. A retry after a lost answer has the same one (R18).
  public let request: RequestID
  /// Whether the session is over: its last action was ``AttendeeAction/close`` or ``AttendeeAction/abort``.
  public var isEnded: Bool { false }

  /// A session for one connection.
  ///
  /// - Parameters:
  ///   - request: the attempt; nil draws a fresh one.
  ///   - channelBinding: ``Connection`` `channelBinding`; both sides must have the same, or nil.
  ///   - key: the key that the token names.
  public init(
    profile: AttendeeProfile, settings: AttendeeSettings = AttendeeSettings(), request: RequestID? = nil,
    channelBinding: [UInt8]? = nil, cryptography: Crypto, key: Key
  ) {
    self.request = request ?? RequestID(Bytes16(cryptography.randomBytes(16))!)
  }

  /// Takes one input and answers what to do.
  ///
  /// - Precondition: ``AttendeeInput/start`` comes first and once.
  public mutating func handle(_ input: AttendeeInput, now: Moment) -> [AttendeeAction] {
    []
  }
}
