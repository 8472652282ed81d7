internal import CheckInCore
internal import TestSupport
internal import Testing

/// Both ends of a session after their first messages.
struct Ends {
  static let cryptography = FakeCryptography()
  static let kioskKey = FakeSigningKey("kiosk")
  static let adaKey = FakeSigningKey("ada", algorithm: .es256)

  var kiosk: Conversation
  var attendee: Conversation
  let hello: [UInt8]
  let request: [UInt8]

  init(
    hello: Message.Hello = MessageSamples.hello(), request: Message.InitialRequest = MessageSamples.initialRequest(),
    binding: [UInt8] = []
  ) throws {
    let greeting = try KioskHandshake(
      hello: hello, binding: binding, key: Self.kioskKey, cryptography: Self.cryptography)
    let answer = try AttendeeHandshake(
      hello: UnverifiedHello(greeting.body), signedBy: Self.kioskKey.publicKey, binding: binding,
      cryptography: Self.cryptography)
    let (body, attendee) = try answer.seal(request, key: Self.adaKey, cryptography: Self.cryptography)
    self.attendee = attendee
    kiosk = try greeting.accept(
      UnverifiedRequest(body), signedBy: Self.adaKey.publicKey, cryptography: Self.cryptography)
    self.hello = greeting.body
    self.request = body
  }

  mutating func kioskSays(_ message: Message) throws -> [UInt8] {
    try kiosk.seal(message, key: Self.kioskKey)
  }

  mutating func attendeeSays(_ message: Message) throws -> [UInt8] {
    try attendee.seal(message, key: Self.adaKey)
  }
}

@Suite("Conversations")
struct ConversationTests {
  let cryptography = Ends.cryptography

  private func fails(
    _ conversation: Conversation, _ body: [UInt8], _ code: MessageError.Code = .badSignature,
    _ location: SourceLocation = #_sourceLocation
  ) {
    var conversation = conversation
    #expect(sourceLocation: location) {
      try conversation.open(body, cryptography: cryptography)
    } throws: {
      ($0 as? MessageError)?.code == code
    }
  }

  @Test("Two ends that follow the protocol understand every message of each other")
  func understanding() throws {
    var ends = try Ends(binding: [1, 2, 3])
    #expect(ends.kiosk.transcript == ends.attendee.transcript)
    for message in MessageSamples.fromKiosk {
      let opened = try ends.attendee.open(ends.kioskSays(message), cryptography: cryptography)
      #expect(try opened?.payload() == message.payload())
    }
    for message in MessageSamples.fromAttendee {
      let opened = try ends.kiosk.open(ends.attendeeSays(message), cryptography: cryptography)
      #expect(try opened?.payload() == message.payload())
    }
  }

  @Test("R11: a message that comes twice does not verify again")
  func doubled() throws {
    var ends = try Ends()
    let body = try ends.kioskSays(.notice(.onScreen))
    _ = try ends.attendee.open(body, cryptography: cryptography)
    fails(ends.attendee, body)
    let same = try ends.kioskSays(.notice(.onScreen))
    #expect(same != body)
    _ = try ends.attendee.open(same, cryptography: cryptography)
  }

  @Test("R11: swapped and missing messages do not verify")
  func reordered() throws {
    var ends = try Ends()
    let first = try ends.attendeeSays(MessageSamples.checkInRequest())
    let second = try ends.attendeeSays(.cancel)
    fails(ends.kiosk, second)
    _ = try ends.kiosk.open(first, cryptography: cryptography)
    fails(ends.kiosk, first)
    _ = try ends.kiosk.open(second, cryptography: cryptography)
  }

  @Test("R11: a message that is sent back to its sender does not verify, even if both ends had one key")
  func reflected() throws {
    var ends = try Ends()
    fails(ends.kiosk, try ends.kioskSays(.goodbye))
    fails(ends.attendee, try ends.attendeeSays(.goodbye))
    let transcript = ends.kiosk.transcript
    var one = Conversation(role: .kiosk, peerKey: Ends.kioskKey.publicKey, transcript: transcript)
    let body = try one.seal(.goodbye, key: Ends.kioskKey)
    fails(one, body)
    fails(ends.kiosk, ends.hello)
    fails(ends.kiosk, ends.request)
    fails(ends.attendee, ends.hello)
  }

  @Test("R9, R10, R12: a message of another session does not verify, whatever the sessions differ in")
  func foreign() throws {
    let base = try Ends()
    let others: [Ends] = [
      try Ends(hello: MessageSamples.hello(session: 99)), try Ends(hello: MessageSamples.hello(nonce: 99)),
      try Ends(hello: MessageSamples.hello(credential: [9, 8])),
      try Ends(hello: MessageSamples.hello(versions: [1, 0])),
      try Ends(hello: MessageSamples.hello(authenticators: ["pin"])),
      try Ends(hello: MessageSamples.hello(gate: "South")),
      try Ends(hello: MessageSamples.hello(time: 0)), try Ends(request: MessageSamples.initialRequest(request: 99)),
      try Ends(request: MessageSamples.initialRequest(nonce: 99)),
      try Ends(request: MessageSamples.initialRequest(token: [1])),
      try Ends(request: MessageSamples.initialRequest(version: 2)),
      try Ends(request: MessageSamples.initialRequest(time: 0)),
      try Ends(binding: [1]),
    ]
    for other in others {
      #expect(other.kiosk.transcript != base.kiosk.transcript)
      var other = other
      fails(base.attendee, try other.kioskSays(MessageSamples.result(Answer(.admitted))))
      fails(base.kiosk, try other.attendeeSays(MessageSamples.checkInRequest()))
    }
    var same = try Ends()
    var kiosk = base.kiosk
    _ = try kiosk.open(same.attendeeSays(.cancel), cryptography: cryptography)
  }

  @Test("R9: a recorded initial request is worth nothing for any other hello, key or binding")
  func recordedRequest() throws {
    let recorded = try Ends().request
    let hellos = [
      MessageSamples.hello(session: 99), MessageSamples.hello(nonce: 99), MessageSamples.hello(credential: [1]),
      MessageSamples.hello(gate: "South"), MessageSamples.hello(authenticators: []), MessageSamples.hello(time: 1),
    ]
    let request = try UnverifiedRequest(recorded)
    for hello in hellos {
      let kiosk = try KioskHandshake(hello: hello, key: Ends.kioskKey, cryptography: cryptography)
      #expect { try kiosk.accept(request, signedBy: Ends.adaKey.publicKey, cryptography: cryptography) } throws: {
        ($0 as? MessageError)?.code == .badSignature
      }
    }
    let other = FakeSigningKey("mallory", algorithm: .es256)
    let kiosk = try KioskHandshake(hello: MessageSamples.hello(), key: Ends.kioskKey, cryptography: cryptography)
    #expect(throws: MessageError.self) {
      try kiosk.accept(request, signedBy: other.publicKey, cryptography: cryptography)
    }
    let bound = try KioskHandshake(
      hello: MessageSamples.hello(), binding: [1], key: Ends.kioskKey, cryptography: cryptography)
    #expect(throws: MessageError.self) {
      try bound.accept(request, signedBy: Ends.adaKey.publicKey, cryptography: cryptography)
    }
    _ = try kiosk.accept(request, signedBy: Ends.adaKey.publicKey, cryptography: cryptography)
  }

  @Test("A hello of another kiosk's key, or for another binding, is not believed")
  func falseKiosk() throws {
    let hello = try UnverifiedHello(Ends(binding: [1]).hello)
    let cases: [(FakeSigningKey, [UInt8])] = [
      (FakeSigningKey("mallory"), [1]), (Ends.kioskKey, [2]), (Ends.kioskKey, []),
    ]
    for (key, binding) in cases {
      #expect {
        try AttendeeHandshake(
          hello: hello, signedBy: key.publicKey, binding: binding, cryptography: cryptography)
      } throws: {
        ($0 as? MessageError)?.code == .badSignature
      }
    }
  }

  @Test("The parts of a session cannot be shifted into each other")
  func unambiguous() throws {
    let one = try Ends(binding: []).kiosk.transcript
    let other = try Ends(binding: [0x40]).kiosk.transcript
    #expect(one != other)
  }

  @Test("A first message of another type is not taken")
  func firstMessages() throws {
    var ends = try Ends()
    let pin = try ends.kioskSays(MessageSamples.pin())
    for body in [ends.request, pin] {
      #expect { try UnverifiedHello(body) } throws: { ($0 as? MessageError)?.code == .unexpectedType }
    }
    for body in [ends.hello, pin] {
      #expect { try UnverifiedRequest(body) } throws: { ($0 as? MessageError)?.code == .unexpectedType }
    }
    let skipped = try SignedEnvelope.sign(try hex("a1001840"), by: Ends.kioskKey)
    #expect { try UnverifiedHello(skipped) } throws: { ($0 as? MessageError)?.code == .unexpectedType }
  }

  /// Signs a payload at the sender's place, as a peer of another version could.
  private func sign(_ payload: String, sequence: UInt64, _ ends: Ends) throws -> [UInt8] {
    let externalData = MessageContext.externalData(.kiosk, sequence: sequence, context: ends.kiosk.transcript)
    return try SignedEnvelope.sign(try hex(payload), externalData: externalData, by: Ends.kioskKey)
  }

  @Test("R11: types from 64 on are verified, counted and passed over; the rest of the unknown ends the session")
  func newerPeer() throws {
    var ends = try Ends()
    let skipped = try ends.attendee.open(try sign("a2 00 1840 20 00", sequence: 1, ends), cryptography: cryptography)
    #expect(skipped == nil)
    fails(ends.attendee, try sign("a1 00 1840", sequence: 1, ends))
    fails(ends.attendee, try sign("a1 00 183f", sequence: 2, ends), .unknownType)
    fails(ends.attendee, try sign("a2 00 08 20 00", sequence: 2, ends), .unknownCriticalKey)
    fails(ends.attendee, try sign("a1 00 07", sequence: 2, ends), .unexpectedType)
    fails(ends.attendee, try sign("a1 00 f6", sequence: 2, ends), .invalidField)
    fails(ends.attendee, try sign("a1 00", sequence: 2, ends), .malformed)
    guard case .goodbye? = try ends.attendee.open(try sign("a1 00 08", sequence: 2, ends), cryptography: cryptography)
    else {
      Issue.record("no goodbye")
      return
    }
  }

  @Test(
    "R11: the other side's messages, and first ones that come late, have no place",
    arguments: MessageSamples.first + MessageSamples.fromAttendee.dropLast())
  func wrongSide(message: Message) throws {
    let ends = try Ends()
    let externalData = MessageContext.externalData(.kiosk, sequence: 1, context: ends.kiosk.transcript)
    let body = try SignedEnvelope.sign(message.payload(), externalData: externalData, by: Ends.kioskKey)
    fails(ends.attendee, body, .unexpectedType)
  }

  @Test("Nothing was counted when a message failed")
  func failureCountsNothing() throws {
    var ends = try Ends()
    let good = try ends.kioskSays(.notice(.onScreen))
    #expect(throws: MessageError.self) { try ends.attendee.open(good + [0], cryptography: cryptography) }
    _ = try ends.attendee.open(good, cryptography: cryptography)
    #expect(throws: MessageError.self) {
      try ends.kiosk.seal(MessageSamples.pin(lifetime: -1), key: Ends.kioskKey)
    }
    _ = try ends.attendee.open(try ends.kioskSays(.goodbye), cryptography: cryptography)
  }

  @Test("R11: every changed byte, every truncation and every byte more is refused", arguments: MessageSamples.fromKiosk)
  func tampering(message: Message) throws {
    var ends = try Ends()
    let body = try ends.kioskSays(message)
    let accepted = acceptedAfterTampering(with: body) { changed in
      var attendee = ends.attendee
      _ = try attendee.open(changed, cryptography: cryptography)
    }
    #expect(accepted == [])
  }

  @Test("R11: every changed byte of the first two messages is refused")
  func tamperingWithFirst() throws {
    let ends = try Ends()
    let hellos = acceptedAfterTampering(with: ends.hello) { changed in
      _ = try AttendeeHandshake(
        hello: UnverifiedHello(changed), signedBy: Ends.kioskKey.publicKey, cryptography: cryptography)
    }
    #expect(hellos == [])
    let kiosk = KioskHandshake(sealed: ends.hello, binding: [])
    let requests = acceptedAfterTampering(with: ends.request) { changed in
      _ = try kiosk.accept(
        UnverifiedRequest(changed), signedBy: Ends.adaKey.publicKey, cryptography: cryptography)
    }
    #expect(requests == [])
  }

  @Test("Our own side saying what is not its to say is our mistake")
  func misuse() async {
    await #expect(processExitsWith: .failure) {
      var ends = try Ends()
      _ = try ends.attendeeSays(MessageSamples.pin())
    }
  }

  @Test("A key that cannot sign is told")
  func signingFails() throws {
    struct LostKey: SigningKey {
      let publicKey = Ends.kioskKey.publicKey
      func sign(_ message: Span<UInt8>) throws(SigningError) -> [UInt8] { throw SigningError("The key is gone.") }
    }
    var ends = try Ends()
    #expect { try ends.kiosk.seal(.goodbye, key: LostKey()) } throws: {
      ($0 as? MessageError) == MessageError(.signingFailed, "The key is gone.")
    }
    _ = try ends.attendee.open(try ends.kioskSays(.goodbye), cryptography: cryptography)
  }
}
