internal import CheckInCore

/// EmbeddingTheCore.md: the state machine alone, driven by a loop, on a device that has these parts.
struct DrivenSession<Crypto: Cryptography, Key: SigningKey, Device: PhoneDevice> {
  let profile: AttendeeProfile
  let cryptography: Crypto
  let key: Key
  let radio: Device
  let screen: Device
  let timers: Device
  let clock: () -> Moment
  let nextInput: () -> AttendeeInput
  let perform: (AttendeeAction) -> Void

  func run() {
    var session = AttendeeSession(profile: profile, cryptography: cryptography, key: key)
    var input = AttendeeInput.start
    while true {
      for action in session.handle(input, now: clock()) {
        switch action {
        case .send(let body): radio.send(frame: body)
        case .show(let view): screen.draw(view)
        case .startTimer(let timer, let duration): timers.start(timer, duration)
        case .stopTimer(let timer): timers.stop(timer)
        default: perform(action)
        }
      }
      guard !session.isEnded else { break }
      input = nextInput()
    }
  }
}

/// What a device must have for that.
protocol PhoneDevice {
  func send(frame body: [UInt8])
  func draw(_ view: AttendeeView)
  func start(_ timer: AttendeeTimer, _ duration: Duration)
  func stop(_ timer: AttendeeTimer)
}
