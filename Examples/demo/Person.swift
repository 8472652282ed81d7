internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import OpenSSLCryptography

/// Somebody with a phone, a key and a token.
struct Person {
  /// The first name, for the story.
  let name: String
  /// What the phone presents.
  let token: [UInt8]
  /// The key that signs.
  let key: OpenSSLSigningKey
}

/// A phone's screen: tells what it shows, and lets the person read the PIN.
struct Phone: AttendeeDisplay {
  private let owner: String
  private let narrator: Narrator
  private let isProof: Bool
  private let pins: AsyncStream<PIN>.Continuation

  /// The phone of `owner`; each PIN that it shows is handed to `pins`.
  ///
  /// - Parameter isProof: whether nobody else could have sent what the kiosk shows first: where others can, it may be a
  ///   recording.
  init(owner: String, narrator: Narrator, isProof: Bool, pins: AsyncStream<PIN>.Continuation) {
    self.owner = owner
    self.isProof = isProof
    self.narrator = narrator
    self.pins = pins
  }

  /// Tells what there is to see.
  func show(_ view: AttendeeView) {
    let who = "\(owner)’s phone"
    switch view {
    case .kiosk(let kiosk):
      let name = "\(kiosk.kiosk) of \(kiosk.event)"
      narrator.says(who, isProof ? "This is \(name); it has proved it." : "This shows the credential of \(name).")
    case .presented: narrator.says(who, "The ticket is shown, signed for this session.")
    case .confirm: narrator.says(who, "Check in with your fingerprint? (mock)")
    case .checking: narrator.says(who, "Confirmed: the PIN goes back by itself, signed.")
    case .pin(let shown):
      narrator.says(who, "Your PIN is \(String(decoding: shown.pin.digits, as: UTF8.self)). Type it at the kiosk.")
      pins.yield(shown.pin)
    case .noKeypad: narrator.says(who, "This kiosk has no keypad.")
    case .notice(let notice): if notice != .onScreen { narrator.says(who, notice.sentence) }
    case .outcome(let outcome):
      let told = if case .answered(let answer) = outcome { answer.isSuccess ? "true: " : "false: " } else { "" }
      narrator.says(who, told + outcome.sentence, TerminalStyle(outcome.isSuccess ? .green : .red))
    }
  }
}
