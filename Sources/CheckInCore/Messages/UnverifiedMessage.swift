/// A hello as it came: well-formed, and not yet anybody's word.
///
/// The attendee takes the credential out of it, judges that by the issuer's key, and then makes an
/// ``AttendeeHandshake`` with the key that the credential names; only after that the hello may be believed.
public struct UnverifiedHello: Sendable {
  /// What it says.
  public let hello: Message.Hello
  let body: [UInt8]
  let envelope: SignedEnvelope

  /// Reads the body of the kiosk's first frame.
  ///
  /// - Throws: ``MessageError``; ``MessageError/Code/unexpectedType`` when it is another message.
  public init(_ body: [UInt8]) throws(MessageError) {
    envelope = try SignedEnvelope(message: body)
    guard case .hello(let hello)? = try Message(payload: envelope.payload) else {
      throw MessageError(.unexpectedType, "The kiosk's first message is not a hello.")
    }
    self.hello = hello
    self.body = body
  }
}

/// An initial request as it came: well-formed, and not yet anybody's word.
///
/// The kiosk takes the token out of it, has it judged, and then gives the request to
/// ``KioskHandshake/accept(_:signedBy:cryptography:)`` with the key of the token's holder.
public struct UnverifiedRequest: Sendable {
  /// What it says.
  public let request: Message.InitialRequest
  let body: [UInt8]
  let envelope: SignedEnvelope

  /// Reads the body of the attendee's first frame.
  ///
  /// - Throws: ``MessageError``; ``MessageError/Code/unexpectedType`` when it is another message.
  public init(_ body: [UInt8]) throws(MessageError) {
    envelope = try SignedEnvelope(message: body)
    guard case .initialRequest(let request)? = try Message(payload: envelope.payload) else {
      throw MessageError(.unexpectedType, "The attendee's first message is not an initial request.")
    }
    self.request = request
    self.body = body
  }
}

extension SignedEnvelope {
  /// Reads the envelope of a message.
  package init(message body: [UInt8]) throws(MessageError) {
    do throws(EnvelopeError) {
      try self.init(body, form: .message)
    } catch {
      throw MessageError(error)
    }
  }

  /// Checks the signature of a message.
  package func verify(
    by key: PublicKey, _ externalData: [UInt8], _ cryptography: some Cryptography
  ) throws(MessageError) {
    do throws(EnvelopeError) {
      try verify(by: key, externalData: externalData, cryptography: cryptography)
    } catch {
      throw MessageError(error)
    }
  }

  /// Encodes and signs a message.
  static func seal(
    _ message: Message, _ externalData: [UInt8], _ key: some SigningKey
  ) throws(MessageError) -> [UInt8] {
    var payload = try message.payload()
    defer { SecretBytes.wipe(&payload) }
    return try seal(payload, externalData, key)
  }

  /// Signs a payload. The caller's bytes stay the caller's to wipe.
  package static func seal(
    _ payload: [UInt8], _ externalData: [UInt8], _ key: some SigningKey
  ) throws(MessageError) -> [UInt8] {
    do throws(SigningError) {
      return try sign(payload, externalData: externalData, by: key)
    } catch {
      throw MessageError(error)
    }
  }
}
