/// Where a kiosk's session stands. Each case carries all that is known there, and nothing else is kept.
enum KioskSessionState: ~Copyable, Sendable {
  /// Made, not started.
  case idle
  /// The hello is out; the phone is to present its token.
  case greeted(KioskHandshake, isBusy: Bool)
  /// The verifier judges the token.
  case judging(Judging)
  /// Nothing more is said; the connection ends at its time (R16).
  case silent(SessionEnd)
  /// The holder is known; the ledger, then the desk, are asked.
  case deciding(Deciding)
  /// There is a PIN; the person is to confirm.
  case confirming(Confirming)
  /// The ledger stores the answer.
  case storing(Storing)
  /// All is said; the phone's goodbye is awaited.
  case parting(Bound, how: SessionEnd)
  /// Over.
  case ended

  /// The case alone, in the order in which a session goes through them.
  enum Phase: Int, Comparable {
    case idle, greeted, judging, silent, deciding, confirming, storing, parting, ended

    static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
  }

  /// The case alone.
  var phase: Phase {
    switch self {
    case .idle: .idle
    case .greeted: .greeted
    case .judging: .judging
    case .silent: .silent
    case .deciding: .deciding
    case .confirming: .confirming
    case .storing: .storing
    case .parting: .parting
    case .ended: .ended
    }
  }

  /// Whether the desk may have a place for the session.
  var hasPlace: Bool { phase == .deciding || phase == .confirming }

  /// Bodies that came before they could be opened. A phone that keeps to the protocol has at most a cancel and a
  /// goodbye to say then.
  struct HeldBodies: Sendable {
    private(set) var bodies: [[UInt8]] = []

    /// Keeps one more; false when that is too many.
    mutating func append(_ body: [UInt8]) -> Bool {
      guard bodies.count < 2 else { return false }
      bodies.append(body)
      return true
    }
  }

  struct Judging: Sendable {
    let handshake: KioskHandshake
    let request: UnverifiedRequest
    let token: Digest
    let isBusy: Bool
    var held = HeldBodies()
  }

  /// A phone that has proved to be the holder's.
  struct Bound: Sendable {
    let holder: TokenHolder
    let token: Digest
    let request: RequestID
    var conversation: Conversation
  }

  struct Deciding: Sendable {
    var bound: Bound
    /// The phone took its request back before it had a PIN.
    var isCancelled = false
  }

  /// The answer is being stored. Once the phone is gone the answer is stored and shown all the same, and told to nobody.
  struct Storing: Sendable {
    var bound: Bound
    let entry: LedgerEntry
    /// What the phone is to be told when it is stored; nil: an admission.
    let refusal: Answer?
    var gone: SessionEnd?

    var isAdmission: Bool { refusal == nil }
  }
}
