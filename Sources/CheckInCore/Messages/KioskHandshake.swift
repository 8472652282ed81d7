/// The kiosk's side of the first two messages: it says hello and then waits for the initial request.
public struct KioskHandshake: Sendable {
  /// The sealed hello, to be sent as the first frame.
  public let body: [UInt8]
  private let binding: [UInt8]

  /// Seals the hello.
  ///
  /// - Parameters:
  ///   - hello: what to say.
  ///   - binding: the connection's channel binding (RFC 5056), or nothing where the transport has none. Both ends must
  ///     have the same, or no message verifies.
  ///   - key: the key that the kiosk's credential names.
  ///   - cryptography: hashes.
  /// - Throws: ``MessageError/Code/limitExceeded`` or ``MessageError/Code/invalidField`` when the hello cannot be
  ///   written, ``MessageError/Code/signingFailed``.
  public init(
    hello: Message.Hello, binding: [UInt8] = [], key: some SigningKey, cryptography: some Cryptography
  ) throws(MessageError) {
    self.binding = binding
    let context = MessageContext.digest(of: [binding], cryptography)
    let externalData = MessageContext.externalData(.kiosk, sequence: 0, context: context)
    body = try SignedEnvelope.seal(.hello(hello), externalData, key)
  }

  /// A handshake whose hello was sealed before.
  package init(sealed body: [UInt8], binding: [UInt8]) {
    self.body = body
    self.binding = binding
  }

  /// Verifies the initial request with the key of the token's holder. Then the conversation is established.
  ///
  /// - Throws: ``MessageError/Code/badSignature``.
  public func accept(
    _ request: UnverifiedRequest, signedBy key: PublicKey, cryptography: some Cryptography
  ) throws(MessageError) -> Conversation {
    let context = MessageContext.digest(of: [binding, body], cryptography)
    let externalData = MessageContext.externalData(.attendee, sequence: 0, context: context)
    try request.envelope.verify(by: key, externalData, cryptography)
    return Conversation(
      role: .kiosk, peerKey: key,
      transcript: MessageContext.digest(of: [binding, body, request.body], cryptography))
  }
}
