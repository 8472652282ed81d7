/// What the kiosk's screen shows. One view replaces the one before; none keeps a name longer than it must.
public enum KioskView: Hashable, Sendable {
  /// Nobody is there.
  case welcome(Welcome)
  /// Somebody is asked to confirm.
  case greeting(Greeting)
  /// How it ended.
  case outcome(KioskOutcome)

  /// The idle screen.
  public struct Welcome: Hashable, Sendable {
    /// The event's name.
    public let event: String
    /// The kiosk's name.
    public let kiosk: String
    /// The gate.
    public let gate: String

    /// An idle screen.
    public init(event: String, kiosk: String, gate: String) {
      self.event = event
      self.kiosk = kiosk
      self.gate = gate
    }
  }

  /// The screen of the attendee whose turn it is.
  public struct Greeting: Hashable, Sendable {
    /// The session on the screen.
    public let session: SessionID
    /// The attendee's name.
    public let name: String
    /// The five boxes; nil where the keypad confirms nothing at this kiosk.
    public let boxes: [KeypadBox]?
    /// How many wrong PINs are left.
    public let attemptsLeft: Int
    /// When the PIN dies, on the clock of the ``Moment`` values handed in.
    public let deadline: MonotonicTime
    /// How many others wait.
    public let waiting: Int
    /// What else to say.
    public let hint: Hint

    /// A greeting.
    public init(
      session: SessionID, name: String, boxes: [KeypadBox]?, attemptsLeft: Int, deadline: MonotonicTime, waiting: Int,
      hint: Hint
    ) {
      self.session = session
      self.name = name
      self.boxes = boxes
      self.attemptsLeft = attemptsLeft
      self.deadline = deadline
      self.waiting = waiting
      self.hint = hint
    }
  }

  /// What a greeting says beside the boxes.
  public enum Hint: Hashable, Sendable {
    /// Nothing went wrong yet: confirm on the phone, or type.
    case confirm
    /// The digits are being checked; keys do nothing.
    case checking
    /// Those digits were wrong.
    case wrongPIN
    /// The confirmation on the phone did not convince: type instead.
    case confirmationFailed
    /// Too many wrong digits at this kiosk lately (R3): keys do nothing until then.
    case locked(until: MonotonicTime)
  }
}

/// One of the five boxes for the digits.
public enum KeypadBox: Hashable, Sendable {
  /// Nothing typed yet.
  case empty
  /// A digit, hidden.
  case masked
  /// The last digit, shown for a moment: 0–9.
  case shown(UInt8)
}

/// How an attempt ended, for the kiosk's screen.
public struct KioskOutcome: Hashable, Sendable {
  /// The attendee's name.
  public let name: String
  /// The answer that the phone gets too.
  public let answer: Answer

  /// An outcome.
  public init(name: String, answer: Answer) {
    self.name = name
    self.answer = answer
  }

  /// Whether the attendee is in.
  public var isSuccess: Bool { answer.isSuccess }
}

/// A key of the kiosk's keypad.
public enum KeypadKey: Hashable, Sendable {
  /// 0–9. Any other number is ignored.
  case digit(UInt8)
  /// Takes the last digit back.
  case backspace
  /// Takes all digits back.
  case clear
}
