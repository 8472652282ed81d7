/// What the two sides say to each other, version 1. `Documentation/Protocol.md` gives the bytes.
public enum Message: Sendable {
  /// Kiosk, first: who it is and what it accepts.
  case hello(Hello)
  /// Attendee, first: the token.
  case initialRequest(InitialRequest)
  /// Kiosk: the PIN of this session. A later one replaces the earlier.
  case pin(PINMessage)
  /// Attendee: confirmed on the phone.
  case checkInRequest(CheckInRequest)
  /// Kiosk: how things stand, while the session goes on.
  case notice(Notice)
  /// Kiosk, last but for goodbye: true or false.
  case result(Result)
  /// Attendee: the person gave up.
  case cancel
  /// Either side's last message: nothing follows.
  case goodbye

  /// The kiosk's introduction.
  public struct Hello: Sendable {
    /// The protocol versions that the kiosk speaks, best first. This library speaks 1.
    public let versions: [UInt64]
    /// Names the session.
    public let session: SessionID
    /// The kiosk's nonce.
    public let nonce: Nonce
    /// The kiosk's credential: a CWT of the issuer's that names the kiosk and its key.
    public let credential: [UInt8]
    /// The names of the authenticators that the kiosk accepts, best first.
    public let authenticators: [String]
    /// The gate that the kiosk stands at.
    public let gate: String
    /// The kiosk's wall clock.
    public let time: WallTime

    /// A hello.
    public init(
      versions: [UInt64], session: SessionID, nonce: Nonce, credential: [UInt8], authenticators: [String],
      gate: String, time: WallTime
    ) {
      self.versions = versions
      self.session = session
      self.nonce = nonce
      self.credential = credential
      self.authenticators = authenticators
      self.gate = gate
      self.time = time
    }
  }

  /// The attendee's first request.
  public struct InitialRequest: Sendable {
    /// The version that the attendee chose from the hello.
    public let version: UInt64
    /// Names this attempt.
    public let request: RequestID
    /// The attendee's nonce.
    public let nonce: Nonce
    /// The token, opaque to the core.
    public let token: [UInt8]
    /// The phone's wall clock.
    public let time: WallTime

    /// A request.
    public init(version: UInt64, request: RequestID, nonce: Nonce, token: [UInt8], time: WallTime) {
      self.version = version
      self.request = request
      self.nonce = nonce
      self.token = token
      self.time = time
    }
  }

  /// The session's PIN and how long it lives.
  public struct PINMessage: Sendable {
    /// The five digits.
    public let pin: PIN
    /// How long the PIN lives from now, whole seconds.
    public let lifetime: Duration
    /// How many wrong ones end the session.
    public let attemptsLeft: UInt64

    /// A message with a PIN.
    public init(pin: PIN, lifetime: Duration, attemptsLeft: UInt64) {
      self.pin = pin
      self.lifetime = lifetime
      self.attemptsLeft = attemptsLeft
    }
  }

  /// The attendee's confirmation on the phone.
  public struct CheckInRequest: Sendable {
    /// The same identifier as in the initial request.
    public let request: RequestID
    /// The PIN that the kiosk sent.
    public let pin: PIN
    /// Which authenticator confirmed.
    public let authenticator: String
    /// What that authenticator's verifier will judge, opaque to the core.
    public let evidence: [UInt8]

    /// A confirmation.
    public init(request: RequestID, pin: PIN, authenticator: String, evidence: [UInt8]) {
      self.request = request
      self.pin = pin
      self.authenticator = authenticator
      self.evidence = evidence
    }
  }

  /// Something that the phone may show while the session goes on.
  public enum Notice: Hashable, Sendable {
    /// Others are before this attendee at the screen.
    case waiting(ahead: UInt64)
    /// The kiosk's screen shows this attendee now.
    case onScreen
    /// Wrong digits, typed or sent.
    case wrongPIN(attemptsLeft: UInt64)
    /// The evidence was not accepted; the keypad remains, and so many more tries on the phone.
    case confirmationFailed(attemptsLeft: UInt64)
  }

  /// The kiosk's answer.
  public struct Result: Sendable {
    /// The request that is answered (R17).
    public let request: RequestID
    /// The answer.
    public let answer: Answer

    /// A result.
    public init(request: RequestID, answer: Answer) {
      self.request = request
      self.answer = answer
    }
  }
}
