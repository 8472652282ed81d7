/// Where an attendee's session stands. Each case carries all that is known there, and nothing else is kept.
enum AttendeeSessionState: ~Copyable, Sendable {
  /// Made, not started.
  case idle
  /// The kiosk is to say hello.
  case connected
  /// The token is out; the kiosk has not answered.
  case presented(Joined, until: MonotonicTime, isCancelled: Bool)
  /// There is a PIN; the person is to confirm, or has.
  case confirming(Confirming)
  /// All is said; the kiosk's goodbye is awaited.
  case parting(Joined)
  /// Over.
  case ended

  /// The case alone, in the order in which a session goes through them.
  enum Phase: Int, Comparable {
    case idle, connected, presented, confirming, parting, ended

    static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
  }

  /// The case alone.
  var phase: Phase {
    switch self {
    case .idle: .idle
    case .connected: .connected
    case .presented: .presented
    case .confirming: .confirming
    case .parting: .parting
    case .ended: .ended
    }
  }

  /// A kiosk that has proved who it is.
  struct Joined: Sendable {
    let identity: KioskIdentity
    /// What the kiosk accepts and the phone has, in the kiosk's order; nil when only the keypad is left.
    let authenticator: String?
    /// Whether digits typed at the kiosk can confirm.
    let offersKeypad: Bool
    var conversation: Conversation
  }

  /// Where the person is with the confirmation.
  enum Stage: Sendable {
    /// A prover asks.
    case asking(String)
    /// The person types at the kiosk.
    case typing(Confirmation.KeypadCause?)
    /// The kiosk has the confirmation.
    case sent(String, evidence: [UInt8])
    /// The kiosk was told that it is over; its answer may still say otherwise.
    case cancelling(AttendeeOutcome)
  }

  struct Confirming: Sendable {
    var joined: Joined
    var pin: PIN
    var deadline: MonotonicTime
    var attemptsLeft: Int
    var stage: Stage
    /// When the wait that fits the stage is over.
    var until: MonotonicTime
  }
}
