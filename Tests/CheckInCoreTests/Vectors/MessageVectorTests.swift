internal import CheckInCore
internal import OpenSSLCryptography
internal import Testing

@Suite("Vectors of messages, made elsewhere")
struct MessageVectorTests {
  static let conversations = [
    "admitted-ed25519", "admitted-ed25519-bound", "admitted-es256", "already-admitted-ed25519",
    "already-admitted-es256", "cancelled-mixed-bound", "too-many-attempts-ed25519",
  ]

  let cryptography = OpenSSLCryptography()

  /// What each side knows after the first `count` messages of a conversation.
  enum Place {
    case beforeHello
    case beforeRequest(KioskHandshake)
    case later(kiosk: Conversation, attendee: Conversation)
  }

  func place(in file: VectorConversation, after count: Int) throws -> Place {
    guard count > 0 else { return .beforeHello }
    let binding = try hex(file.binding)
    let hello = KioskHandshake(sealed: try hex(file.messages[0].body), binding: binding)
    guard count > 1 else { return .beforeRequest(hello) }
    let attendeeKey = try VectorFiles.key(file.attendee).publicKey()
    let kioskKey = try VectorFiles.key(file.kiosk).publicKey()
    var kiosk = try hello.accept(
      UnverifiedRequest(try hex(file.messages[1].body)), signedBy: attendeeKey, cryptography: cryptography)
    var attendee = Conversation(role: .attendee, peerKey: kioskKey, transcript: kiosk.transcript)
    for entry in file.messages[2..<count] {
      let body = try hex(entry.body)
      let opened =
        entry.from == "kiosk"
        ? try attendee.open(body, cryptography: cryptography) : try kiosk.open(body, cryptography: cryptography)
      #expect(try opened?.payload() == hex(entry.payload))
    }
    return .later(kiosk: kiosk, attendee: attendee)
  }

  @Test("Every message of a conversation verifies in its place", arguments: conversations)
  func opened(name: String) throws {
    let file: VectorConversation = try VectorFiles.read("conversation-\(name)")
    guard case .later(let kiosk, _) = try place(in: file, after: file.messages.count) else {
      Issue.record("a conversation without a request")
      return
    }
    #expect(kiosk.transcript.bytes == (try hex(file.transcript)))
    let kioskKey = try VectorFiles.key(file.kiosk).publicKey()
    let hello = try UnverifiedHello(try hex(file.messages[0].body))
    _ = try AttendeeHandshake(
      hello: hello, signedBy: kioskKey, binding: try hex(file.binding), cryptography: cryptography)
    let credential = try Credential(
      hello.hello.credential, issuedBy: VectorFiles.key(file.issuer).publicKey(), cryptography: cryptography)
    #expect(credential.key == kioskKey && credential.role == .kiosk)
  }

  @Test("Every message is written as the same payload", arguments: conversations)
  func payloads(name: String) throws {
    let file: VectorConversation = try VectorFiles.read("conversation-\(name)")
    for entry in file.messages {
      #expect(try entry.message.message().payload() == hex(entry.payload))
      let envelope = try SignedEnvelope(try hex(entry.body), form: .message)
      #expect(
        SignedEnvelope.signedBytes(envelope.protectedHeader, try hex(entry.externalAad), envelope.payload)
          == (try hex(entry.sigStructure)))
    }
  }

  @Test("Ed25519 signs the same conversation to the byte", arguments: conversations.filter { $0.contains("ed25519") })
  func sealed(name: String) throws {
    let file: VectorConversation = try VectorFiles.read("conversation-\(name)")
    let (kioskKey, adaKey) = (
      try VectorFiles.key(file.kiosk).ed25519Key(), try VectorFiles.key(file.attendee).ed25519Key()
    )
    let binding = try hex(file.binding)
    guard case .hello(let hello) = try file.messages[0].message.message(),
      case .initialRequest(let request) = try file.messages[1].message.message()
    else {
      Issue.record("a conversation must begin with a hello and an initial request")
      return
    }
    let greeting = try KioskHandshake(hello: hello, binding: binding, key: kioskKey, cryptography: cryptography)
    #expect(greeting.body == (try hex(file.messages[0].body)))
    let answer = try AttendeeHandshake(
      hello: UnverifiedHello(greeting.body), signedBy: kioskKey.publicKey, binding: binding, cryptography: cryptography)
    var (body, attendee) = try answer.seal(request, key: adaKey, cryptography: cryptography)
    #expect(body == (try hex(file.messages[1].body)))
    var kiosk = try greeting.accept(UnverifiedRequest(body), signedBy: adaKey.publicKey, cryptography: cryptography)
    for entry in file.messages[2...] {
      let message = try entry.message.message()
      body = entry.from == "kiosk" ? try kiosk.seal(message, key: kioskKey) : try attendee.seal(message, key: adaKey)
      #expect(body == (try hex(entry.body)), "\(entry.from) \(entry.sequence)")
    }
  }

  struct File: Decodable {
    struct Vector: Decodable {
      let name: String
      let conversation: String
      let after: Int
      let from: String
      let body: String
      let skipped: Bool?
      let fault: String?
      let level: String?
    }

    let accepted: [Vector]
    let refused: [Vector]
  }

  /// Takes a message at its place; nil when it is passed over.
  private func take(_ vector: File.Vector) throws -> Message? {
    let file: VectorConversation = try VectorFiles.read("conversation-\(vector.conversation)")
    let body = try hex(vector.body)
    switch try place(in: file, after: vector.after) {
    case .beforeHello:
      let hello = try UnverifiedHello(body)
      _ = try AttendeeHandshake(
        hello: hello, signedBy: VectorFiles.key(file.kiosk).publicKey(), binding: try hex(file.binding),
        cryptography: cryptography)
      return .hello(hello.hello)
    case .beforeRequest(let kiosk):
      let request = try UnverifiedRequest(body)
      _ = try kiosk.accept(
        request, signedBy: VectorFiles.key(file.attendee).publicKey(), cryptography: cryptography)
      return .initialRequest(request.request)
    case .later(var kiosk, var attendee):
      return vector.from == "kiosk"
        ? try attendee.open(body, cryptography: cryptography) : try kiosk.open(body, cryptography: cryptography)
    }
  }

  @Test("R10, R11, R19: each message that must be accepted is, and each other refused, for the reason that it gives")
  func single() throws {
    let file: File = try VectorFiles.read("messages")
    #expect(file.accepted.count >= 20 && file.refused.count >= 200)
    for vector in file.accepted {
      do {
        #expect(try (take(vector) == nil) == vector.skipped, "\(vector.name)")
      } catch {
        Issue.record("\(vector.name): \(error)")
      }
    }
    for vector in file.refused {
      var fault = "none"
      do {
        _ = try take(vector)
      } catch let error as MessageError {
        switch error.code {
        case .malformed, .invalidField, .limitExceeded, .unknownCriticalKey: fault = "malformed"
        case .badSignature: fault = "not_authentic"
        case .unknownType: fault = "unknown_type"
        case .unexpectedType: fault = "unexpected_message"
        case .signingFailed: fault = "signing"
        }
      }
      // What only the session can know has no fault here.
      #expect(fault == (vector.level == "session" ? "none" : vector.fault), "\(vector.name)")
    }
  }
}
