internal import CheckInCore
internal import TestSupport
internal import Testing

/// A kiosk that says what a test wants it to say, in its place or not, and the phone that hears it.
final class ScriptedKiosk {
  let world = SimulationWorld(seed: 1)
  let event = SimulationEvent(cryptography: SimulationCryptography(seed: 5))
  let line: SimulationLine
  let ticket: (profile: AttendeeProfile, key: FakeSigningKey)
  let phone: SimulationPhone
  private(set) var inbox: [[UInt8]] = []
  private(set) var request: Message.InitialRequest?
  private(set) var end: SimulationLine.Arrival?
  var conversation: Conversation!
  var identity: (profile: KioskProfile, key: FakeSigningKey)
  private var handshake: KioskHandshake?

  init(
    authenticators: [KioskProfile.OfferedAuthenticator] = [.biometric, .keypad],
    phone authenticatorsOfPhone: [String] = ["mock-biometric", "pin"], request: RequestID? = nil,
    name: String? = nil
  ) {
    line = SimulationLine(world: world)
    ticket = event.attendee("Ada", authenticators: authenticatorsOfPhone, shown: name)
    identity = event.kiosk("Hall A", authenticators: authenticators)
    phone = SimulationPhone(
      world: world, line: line, profile: ticket.profile, key: ticket.key, cryptography: event.cryptography,
      request: request)
    line.receive(at: .kiosk) { [weak self] arrival in
      if case .body(let body) = arrival { self?.inbox.append(body) } else { self?.end = arrival }
    }
    phone.start()
  }

  /// Says hello as a true kiosk would, or a little off, without hearing the answer.
  func hello(
    versions: [UInt64] = [1], gate: String? = nil, authenticators: [String]? = nil, signedBy key: FakeSigningKey? = nil
  ) throws {
    let profile = identity.profile
    let hello = Message.Hello(
      versions: versions, session: SessionID(Bytes16(random: event.cryptography)),
      nonce: Nonce(Bytes16(random: event.cryptography)), credential: profile.credential,
      authenticators: authenticators ?? profile.authenticators.map(\.name), gate: gate ?? profile.gate,
      time: world.now.wall)
    let handshake = try KioskHandshake(hello: hello, key: key ?? identity.key, cryptography: event.cryptography)
    self.handshake = handshake
    send(handshake.body)
  }

  /// Says hello and takes the initial request.
  func begin() throws {
    try hello()
    let body = try #require(takeBody())
    let unverified = try UnverifiedRequest(body)
    request = unverified.request
    conversation = try #require(handshake).accept(
      unverified, signedBy: ticket.key.publicKey, cryptography: event.cryptography)
  }

  /// Goes on to a PIN.
  func beginWithPIN(_ pin: String = "12345") throws {
    try begin()
    try sayPIN(pin)
  }

  func sayPIN(_ pin: String, attemptsLeft: UInt64 = 3) throws {
    try say(.pin(.init(pin: PIN(pin)!, lifetime: .seconds(120), attemptsLeft: attemptsLeft)))
  }

  func sayResult(_ answer: Answer, request other: RequestID? = nil) throws {
    try say(.result(.init(request: try other ?? #require(request).request, answer: answer)))
  }

  func takeBody() -> [UInt8]? {
    inbox.isEmpty ? nil : inbox.removeFirst()
  }

  func send(_ body: [UInt8]) {
    line.send(body, from: .kiosk)
    world.settle()
  }

  func seal(_ message: Message) throws -> [UInt8] {
    try conversation.seal(message, key: identity.key)
  }

  func say(_ message: Message) throws {
    send(try seal(message))
  }

  /// All that the phone has said, opened in its place.
  func readAll() throws -> [Message] {
    var messages: [Message] = []
    while let body = takeBody() {
      messages.append(try #require(try conversation.open(body, cryptography: event.cryptography)))
    }
    return messages
  }

  /// The check-in request among what the phone has said.
  func confirmation() throws -> Message.CheckInRequest? {
    for case .checkInRequest(let request) in try readAll() { return request }
    return nil
  }

  /// The digits on the phone's screen.
  var shownDigits: String? {
    phone.shownPIN.map { String(decoding: $0.digits, as: UTF8.self) }
  }
}
