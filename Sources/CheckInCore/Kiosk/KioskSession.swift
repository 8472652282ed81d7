/// One phone's session at a kiosk: a state machine that does nothing by itself.
///
/// Hand in what happens, in order and from one place at a time, and carry out the actions that come back, in their
/// order. Whatever the phone sends, it answers with actions; only wrong use by its own caller traps.
public struct KioskSession<Crypto: Cryptography, Key: SigningKey>: ~Copyable, Sendable {
  /// The session's name, fresh and random (R12).
  public let id: SessionID
  /// Whether the session is over: its last action was ``KioskAction/close`` or ``KioskAction/abort``. Inputs that come
  /// later are ignored.
  public var isEnded: Bool { false }

  /// A session for one connection. Its identifier and nonce are drawn here.
  ///
  /// - Parameters:
  ///   - channelBinding: ``Connection`` `channelBinding`; both sides must have the same, or nil.
  ///   - key: the key that the profile's credential names.
  public init(
    profile: KioskProfile, settings: KioskSettings = KioskSettings(), channelBinding: [UInt8]? = nil,
    cryptography: Crypto, key: Key
  ) {
    id = SessionID(Bytes16(cryptography.randomBytes(16))!)
  }

  /// Takes one input and answers what to do.
  ///
  /// - Precondition: ``KioskInput/start(isBusy:)`` comes first and once.
  public mutating func handle(_ input: KioskInput, now: Moment) -> [KioskAction] {
    []
  }
}
