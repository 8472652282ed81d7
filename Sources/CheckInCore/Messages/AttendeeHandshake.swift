/// The attendee's side of the first two messages: it believes the hello and then sends the initial request.
public struct AttendeeHandshake: Sendable {
  private let binding: [UInt8]
  private let hello: [UInt8]
  private let kioskKey: PublicKey

  /// Verifies the hello with the key that the kiosk's credential names. That credential must have been judged before.
  ///
  /// - Parameters:
  ///   - hello: what came first.
  ///   - key: the key that the credential names.
  ///   - binding: the connection's channel binding (RFC 5056), or nothing where the transport has none.
  ///   - cryptography: hashes and verifies.
  /// - Throws: ``MessageError/Code/badSignature``.
  public init(
    hello: UnverifiedHello, signedBy key: PublicKey, binding: [UInt8] = [], cryptography: some Cryptography
  ) throws(MessageError) {
    let context = MessageContext.digest(of: [binding], cryptography)
    let externalData = MessageContext.externalData(.kiosk, sequence: 0, context: context)
    try hello.envelope.verify(by: key, externalData, cryptography)
    self.binding = binding
    self.hello = hello.body
    kioskKey = key
  }

  /// Seals the initial request. Then the conversation is established.
  ///
  /// - Parameters:
  ///   - request: what to say.
  ///   - key: the key that the token names.
  ///   - cryptography: hashes.
  /// - Returns: the sealed request, to be sent as the first frame, and the conversation that it begins.
  /// - Throws: ``MessageError/Code/limitExceeded`` when the request cannot be written,
  ///   ``MessageError/Code/signingFailed``.
  public func seal(
    _ request: Message.InitialRequest, key: some SigningKey, cryptography: some Cryptography
  ) throws(MessageError) -> (body: [UInt8], conversation: Conversation) {
    let context = MessageContext.digest(of: [binding, hello], cryptography)
    let externalData = MessageContext.externalData(.attendee, sequence: 0, context: context)
    let body = try SignedEnvelope.seal(.initialRequest(request), externalData, key)
    let transcript = MessageContext.digest(of: [binding, hello, body], cryptography)
    return (body, Conversation(role: .attendee, peerKey: kioskKey, transcript: transcript))
  }
}
