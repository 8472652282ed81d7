/// What is said after the first message of each side: seals our messages and opens the peer's, each at its place.
///
/// A message that is forged, replayed, left out, reordered, sent back to its sender, or brought in from another session
/// does not verify (R11). After any error the conversation is over.
public struct Conversation: Sendable {
  /// A hash of the channel binding, the hello and the initial request: the same at both ends, and in no other session.
  public let transcript: Digest

  private let role: MessageRole
  private let peerKey: PublicKey
  private var nextToSend: UInt64 = 1
  private var nextToReceive: UInt64 = 1

  /// A conversation whose first two messages were said already.
  package init(role: MessageRole, peerKey: PublicKey, transcript: Digest) {
    self.role = role
    self.peerKey = peerKey
    self.transcript = transcript
  }

  /// Seals our next message. Sealed messages must be sent in this order, and all of them.
  ///
  /// - Precondition: the message is one that our side says after its first.
  /// - Throws: ``MessageError/Code/limitExceeded`` when a field is too large, ``MessageError/Code/signingFailed``. Then
  ///   nothing was counted.
  public mutating func seal(_ message: Message, key: some SigningKey) throws(MessageError) -> [UInt8] {
    precondition(message.isSaidLater(by: role), "the other side's message, or one that comes first")
    let externalData = MessageContext.externalData(role, sequence: nextToSend, context: transcript)
    let body = try SignedEnvelope.seal(message, externalData, key)
    nextToSend += 1
    return body
  }

  /// Opens the peer's next message.
  ///
  /// - Returns: the message; nil for one of a type from 64 on that this version does not know: it was verified and
  ///   counted, and has nothing to say to us.
  /// - Throws: ``MessageError``; nothing was counted.
  public mutating func open(_ body: [UInt8], cryptography: some Cryptography) throws(MessageError) -> Message? {
    var envelope = try SignedEnvelope(message: body)
    defer { envelope.wipePayload() }
    let externalData = MessageContext.externalData(role.other, sequence: nextToReceive, context: transcript)
    try envelope.verify(by: peerKey, externalData, cryptography)
    let message = try Message(payload: envelope.payload)
    if let message, !message.isSaidLater(by: role.other) {
      throw MessageError(.unexpectedType, "The peer sent a message that is not its to send now.")
    }
    nextToReceive += 1
    return message
  }
}

extension Message {
  /// Whether that side says such a message after its first.
  fileprivate func isSaidLater(by role: MessageRole) -> Bool {
    switch self {
    case .hello, .initialRequest: false
    case .pin, .notice, .result: role == .kiosk
    case .checkInRequest, .cancel: role == .attendee
    case .goodbye: true
    }
  }
}
