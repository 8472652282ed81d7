public import CheckInCore

/// What is said after the first message of each side: seals our messages and opens the peer's, each at its place.
///
/// It is the check-in's way of signing with another name in `external_aad`: a message that is forged, replayed, left out,
/// reordered, sent back, or brought in from another session or from a check-in does not verify (R11).
public struct EnrollmentConversation: Sendable {
  /// A hash of the channel binding, the hello and the opening: the same at both ends, and in no other session.
  public let transcript: Digest

  private let role: MessageRole
  private let peerKey: PublicKey
  private var nextToSend: UInt64 = 1
  private var nextToReceive: UInt64 = 1

  package init(role: MessageRole, peerKey: PublicKey, transcript: Digest) {
    self.role = role
    self.peerKey = peerKey
    self.transcript = transcript
  }

  /// Seals our next message. Sealed messages must be sent in this order, and all of them.
  ///
  /// - Throws: ``/CheckInCore/MessageError``; then nothing was counted.
  package mutating func seal(_ message: EnrollmentMessage, key: some SigningKey) throws(MessageError) -> [UInt8] {
    let body = try SignedEnvelope.seal(message, role, sequence: nextToSend, transcript, key)
    nextToSend += 1
    return body
  }

  /// Opens the peer's next message.
  ///
  /// - Returns: the message; nil for one of a type from 64 on that this version does not know.
  /// - Throws: ``/CheckInCore/MessageError``; nothing was counted.
  package mutating func open(
    _ body: [UInt8], cryptography: some Cryptography
  ) throws(MessageError) -> EnrollmentMessage? {
    var envelope = try SignedEnvelope(message: body)
    defer { envelope.wipePayload() }
    try envelope.verify(by: peerKey, role.other, sequence: nextToReceive, transcript, cryptography)
    let message = try EnrollmentMessage(payload: envelope.payload)
    if let message, !message.isSaidLater(by: role.other) {
      throw MessageError(.unexpectedType, "The peer sent a message that is not its to send now.")
    }
    nextToReceive += 1
    return message
  }
}

/// The server's side of the first two messages.
package struct EnrollmentServerHandshake: Sendable {
  /// The sealed hello, to be sent as the first frame.
  package let body: [UInt8]
  private let binding: [UInt8]

  /// Seals the hello with the key of the server's certificate.
  package init(
    hello: EnrollmentMessage.Hello, binding: [UInt8], key: some SigningKey, cryptography: some Cryptography
  ) throws(MessageError) {
    self.binding = binding
    let context = MessageContext.digest(of: [binding], cryptography)
    body = try SignedEnvelope.seal(.hello(hello), .kiosk, sequence: 0, context, key)
  }

  /// Takes up a hello that was sealed before.
  package init(sealed body: [UInt8], binding: [UInt8]) {
    self.body = body
    self.binding = binding
  }

  /// Verifies the opening with the key of the client's certificate.
  package func accept(
    _ opening: [UInt8], signedBy key: PublicKey, cryptography: some Cryptography
  ) throws(MessageError) -> (EnrollmentMessage.Opening, EnrollmentConversation) {
    let envelope = try SignedEnvelope(message: opening)
    let context = MessageContext.digest(of: [binding, body], cryptography)
    try envelope.verify(by: key, .attendee, sequence: 0, context, cryptography)
    guard case .opening(let message)? = try EnrollmentMessage(payload: envelope.payload) else {
      throw MessageError(.unexpectedType, "The client's first message is not an opening.")
    }
    let transcript = MessageContext.digest(of: [binding, body, opening], cryptography)
    return (message, EnrollmentConversation(role: .kiosk, peerKey: key, transcript: transcript))
  }
}

/// The client's side of the first two messages.
package struct EnrollmentClientHandshake: Sendable {
  /// What the server said.
  package let hello: EnrollmentMessage.Hello
  private let body: [UInt8]
  private let binding: [UInt8]
  private let serverKey: PublicKey

  /// Verifies the hello with the key of the server's certificate.
  package init(
    hello body: [UInt8], signedBy key: PublicKey, binding: [UInt8], cryptography: some Cryptography
  ) throws(MessageError) {
    let envelope = try SignedEnvelope(message: body)
    let context = MessageContext.digest(of: [binding], cryptography)
    try envelope.verify(by: key, .kiosk, sequence: 0, context, cryptography)
    guard case .hello(let hello)? = try EnrollmentMessage(payload: envelope.payload) else {
      throw MessageError(.unexpectedType, "The server's first message is not a hello.")
    }
    self.hello = hello
    self.body = body
    self.binding = binding
    serverKey = key
  }

  /// Seals the opening. Then the conversation is established.
  package func seal(
    _ opening: EnrollmentMessage.Opening, key: some SigningKey, cryptography: some Cryptography
  ) throws(MessageError) -> (body: [UInt8], conversation: EnrollmentConversation) {
    let context = MessageContext.digest(of: [binding, body], cryptography)
    let sealed = try SignedEnvelope.seal(.opening(opening), .attendee, sequence: 0, context, key)
    let transcript = MessageContext.digest(of: [binding, body, sealed], cryptography)
    return (sealed, EnrollmentConversation(role: .attendee, peerKey: serverKey, transcript: transcript))
  }
}

extension SignedEnvelope {
  fileprivate static func seal(
    _ message: EnrollmentMessage, _ role: MessageRole, sequence: UInt64, _ context: Digest, _ key: some SigningKey
  ) throws(MessageError) -> [UInt8] {
    var payload = try message.payload()
    defer { SecretBytes.wipe(&payload) }
    let externalData = MessageContext.externalData(
      role, sequence: sequence, context: context, protocol: EnrollmentProtocol.name)
    return try seal(payload, externalData, key)
  }

  fileprivate func verify(
    by key: PublicKey, _ role: MessageRole, sequence: UInt64, _ context: Digest, _ cryptography: some Cryptography
  ) throws(MessageError) {
    let externalData = MessageContext.externalData(
      role, sequence: sequence, context: context, protocol: EnrollmentProtocol.name)
    try verify(by: key, externalData, cryptography)
  }
}

extension EnrollmentMessage {
  /// Whether that side says such a message after its first.
  fileprivate func isSaidLater(by role: MessageRole) -> Bool {
    switch self {
    case .hello, .opening: false
    case .request: role == .attendee
    case .answer: role == .kiosk
    case .goodbye: true
    }
  }
}
