internal import CheckInCore
internal import TestSupport
internal import Testing

/// A phone that says what a test wants it to say, in its place or not.
final class ScriptedPhone {
  let line: SimulationLine
  let ticket: (profile: AttendeeProfile, key: FakeSigningKey)
  /// The kiosk's messages that were not looked at yet.
  private(set) var inbox: [[UInt8]] = []
  private(set) var end: SimulationLine.Arrival?
  private(set) var request = RequestID(Bytes16([UInt8](repeating: 9, count: 16))!)
  private(set) var pin: PIN?
  var conversation: Conversation!
  private let cryptography: SimulationCryptography

  init(
    _ line: SimulationLine, _ ticket: (profile: AttendeeProfile, key: FakeSigningKey), _ crypto: SimulationCryptography
  ) {
    self.line = line
    self.ticket = ticket
    cryptography = crypto
    line.receive(at: .phone) { [weak self] arrival in
      if case .body(let body) = arrival { self?.inbox.append(body) } else { self?.end = arrival }
    }
  }

  var isClosed: Bool { end != nil }

  func hello() throws -> UnverifiedHello {
    try UnverifiedHello(try #require(takeBody()))
  }

  func takeBody() -> [UInt8]? {
    inbox.isEmpty ? nil : inbox.removeFirst()
  }

  /// Makes the initial request as it should be, or a little off, without sending it.
  func initialRequest(
    _ hello: UnverifiedHello, request: RequestID? = nil, token: [UInt8]? = nil, version: UInt64 = 1,
    time: WallTime? = nil, signedBy key: FakeSigningKey? = nil
  ) throws -> [UInt8] {
    if let request { self.request = request }
    let kiosk = try Credential(
      hello.hello.credential, issuedBy: ticket.profile.issuer, cryptography: cryptography)
    let handshake = try AttendeeHandshake(hello: hello, signedBy: kiosk.key, cryptography: cryptography)
    let message = Message.InitialRequest(
      version: version, request: self.request, nonce: Nonce(Bytes16(random: cryptography)),
      token: token ?? ticket.profile.token, time: time ?? hello.hello.time)
    let (body, conversation) = try handshake.seal(message, key: key ?? ticket.key, cryptography: cryptography)
    self.conversation = conversation
    return body
  }

  /// Reads the hello and presents the ticket.
  func present(request: RequestID? = nil, time: WallTime? = nil) throws {
    send(try initialRequest(hello(), request: request, time: time))
  }

  func send(_ body: [UInt8]) {
    line.send(body, from: .phone)
  }

  func seal(_ message: Message) throws -> [UInt8] {
    try conversation.seal(message, key: ticket.key)
  }

  func say(_ message: Message) throws {
    send(try seal(message))
  }

  /// Confirms on the phone.
  func confirm(
    pin: PIN? = nil, request: RequestID? = nil, authenticator: String = "mock-biometric", evidence: String = "it is me"
  ) throws {
    try say(
      .checkInRequest(
        .init(
          request: request ?? self.request, pin: try pin ?? #require(self.pin), authenticator: authenticator,
          evidence: Array(evidence.utf8))))
  }

  /// The kiosk's next message, opened in its place; nil when there is none.
  func next() throws -> Message? {
    guard let body = takeBody() else { return nil }
    let message = try #require(try conversation.open(body, cryptography: cryptography))
    if case .pin(let message) = message { pin = message.pin }
    return message
  }

  /// All that the kiosk has said.
  func readAll() throws -> [Message] {
    var messages: [Message] = []
    while let message = try next() { messages.append(message) }
    return messages
  }

  /// The answer among what the kiosk has said.
  func answer() throws -> Answer? {
    for message in try readAll() {
      if case .result(let result) = message {
        #expect(result.request == request)
        return result.answer
      }
    }
    return nil
  }
}
