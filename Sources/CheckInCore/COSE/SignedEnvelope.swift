/// One COSE_Sign1 message (RFC 9052 §4.2) with its tag, 18: a payload, and a signature of one key.
///
/// Reading one judges its form alone. The payload is nobody's word until ``verify(by:externalData:cryptography:)``
/// returned.
public struct SignedEnvelope: Hashable, Sendable {
  /// How much may be in the headers.
  public enum Form: Hashable, Sendable {
    /// Messages: the protected header is `{1: alg}`, the unprotected one is empty.
    case message
    /// Tickets and credentials: other labels, such as `kid`, may be in either header; `alg` must be in the protected
    /// one. The CWT tag, 61, may stand in front (RFC 8392 §6).
    case credential
  }

  /// The protected header as it was signed.
  public let protectedHeader: [UInt8]
  /// The algorithm that the protected header names.
  public let algorithm: SignatureAlgorithm
  /// Which key it is said to be signed by; a hint and no more.
  public let keyIdentifier: [UInt8]?
  /// What was signed.
  public private(set) var payload: [UInt8]
  /// The signature.
  public let signature: [UInt8]

  /// Reads an envelope.
  ///
  /// - Throws: ``EnvelopeError``, all but ``EnvelopeError/badSignature``.
  public init(_ bytes: [UInt8], form: Form) throws(EnvelopeError) {
    guard SignedEnvelope.begins(bytes, form: form) else { throw .notAnEnvelope }
    var reader: CBORReader
    let known: SignatureAlgorithm?
    do throws(CBORError) { reader = try CBORReader(bytes) } catch { throw .malformed(error) }
    do throws(CBORError) {
      if try reader.readTag() == 61 { _ = try reader.readTag() }
      guard try reader.readArrayHead() == 4 else { throw CBORError(.wrongType, at: reader.position) }
      (known, protectedHeader) = try reader.readBytes { EnvelopeHeader.ofMessage($0) }
    } catch {
      throw .invalid(.structure)
    }
    let protected: EnvelopeHeader
    if let known { protected = EnvelopeHeader(known) } else { protected = try SignedEnvelope.header(protectedHeader) }
    let unprotected = try EnvelopeHeader(&reader)
    guard reader.nextType != .simple else { throw .invalid(.detachedPayload) }
    do throws(CBORError) {
      payload = try reader.readBytes()
      signature = try reader.readBytes()
    } catch {
      throw .invalid(.structure)
    }
    guard let algorithm = protected.algorithm, !unprotected.hasAlgorithm else { throw .invalid(.algorithm) }
    guard protected.keyIdentifier == nil || unprotected.keyIdentifier == nil else { throw .invalid(.header) }
    guard form == .credential || (protected.count == 1 && unprotected.count == 0) else { throw .invalid(.notExact) }
    guard signature.count == algorithm.signatureSize else { throw .invalid(.signatureSize) }
    self.algorithm = algorithm
    keyIdentifier = protected.keyIdentifier ?? unprotected.keyIdentifier
  }

  /// Whether the bytes begin like an envelope of that form: with the tag 18, for a credential also behind 61.
  public static func begins(_ bytes: [UInt8], form: Form) -> Bool {
    bytes.starts(with: [0xd2]) || (form == .credential && bytes.starts(with: [0xd8, 0x3d, 0xd2]))
  }

  /// Checks the signature.
  ///
  /// - Parameters:
  ///   - key: the key that must have signed. Its algorithm must be the envelope's.
  ///   - externalData: what was signed beside the payload and is not in the envelope (RFC 9052 §4.3).
  ///   - cryptography: verifies.
  /// - Throws: ``EnvelopeError/badSignature``.
  public func verify(
    by key: PublicKey, externalData: [UInt8] = [], cryptography: some Cryptography
  ) throws(EnvelopeError) {
    guard algorithm == key.algorithm else { throw .badSignature }
    var signed = SignedEnvelope.signedBytes(protectedHeader, externalData, payload)
    defer { SecretBytes.wipe(&signed) }
    guard cryptography.verify(signature.span, of: signed.span, by: key) else { throw .badSignature }
  }

  /// Overwrites the payload with zeros and forgets it, when it may have held a PIN (R20).
  package mutating func wipePayload() {
    SecretBytes.wipe(&payload)
  }

  /// Signs a payload: the bytes of a whole envelope, with `{1: alg}` as the protected header and an empty other one.
  ///
  /// - Throws: ``SigningError`` when the key cannot sign.
  public static func sign(
    _ payload: [UInt8], externalData: [UInt8] = [], by key: some SigningKey
  ) throws(SigningError) -> [UInt8] {
    let algorithm = key.publicKey.algorithm
    let header = EnvelopeHeader.encoding(of: algorithm)
    var signed = signedBytes(header, externalData, payload)
    defer { SecretBytes.wipe(&signed) }
    let signature = try key.sign(signed.span)
    guard signature.count == algorithm.signatureSize else {
      throw SigningError("The key made a signature of a wrong size.")
    }
    var envelope = CBORWriter(capacity: payload.count + signature.count + 16)
    envelope.tag(18)
    envelope.beginArray(4)
    envelope.write(header)
    envelope.beginMap(0)
    envelope.write(payload)
    envelope.write(signature)
    return envelope.bytes
  }

  /// The Sig_structure of RFC 9052 §4.4: what the key signs.
  package static func signedBytes(
    _ protectedHeader: [UInt8], _ externalData: [UInt8], _ payload: [UInt8]
  ) -> [UInt8] {
    var writer = CBORWriter(capacity: protectedHeader.count + externalData.count + payload.count + 32)
    writer.beginArray(4)
    writer.write("Signature1")
    writer.write(protectedHeader)
    writer.write(externalData)
    writer.write(payload)
    return writer.bytes
  }

  private static func header(_ bytes: [UInt8]) throws(EnvelopeError) -> EnvelopeHeader {
    // An empty map is written as no bytes at all (RFC 9052 §3).
    guard !bytes.isEmpty else { throw .invalid(.algorithm) }
    var reader: CBORReader
    do throws(CBORError) { reader = try CBORReader(bytes) } catch { throw .malformed(error) }
    return try EnvelopeHeader(&reader)
  }
}
