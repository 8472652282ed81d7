internal import CheckInCore
internal import TestSupport
internal import Testing

@Suite("COSE_Sign1")
struct SignedEnvelopeTests {
  let cryptography = FakeCryptography()
  let key = FakeSigningKey("envelope")

  /// An envelope from its parts, whatever they are.
  func envelope(
    tags: [UInt64] = [18], protected: String = "a10127", unprotected: String = "a0", payload: String = "41aa",
    signature: Int = 64
  ) throws -> [UInt8] {
    var writer = CBORWriter()
    for tag in tags {
      writer.tag(tag)
    }
    writer.beginArray(4)
    writer.write(try hex(protected))
    writer.write(encoded: try hex(unprotected))
    writer.write(encoded: try hex(payload))
    writer.write([UInt8](repeating: 7, count: signature))
    return writer.bytes
  }

  @Test(
    "What is signed is read again and verifies", arguments: SignatureAlgorithm.allCases, [0, 1, 23, 24, 300, 70_000])
  func roundTrip(algorithm: SignatureAlgorithm, size: Int) throws {
    let key = FakeSigningKey("round trip", algorithm: algorithm)
    let payload = [UInt8](repeating: 5, count: size)
    let bytes = try SignedEnvelope.sign(payload, externalData: [1, 2], by: key)
    for form in [SignedEnvelope.Form.message, .credential] {
      let envelope = try SignedEnvelope(bytes, form: form)
      #expect(envelope.payload == payload)
      #expect(envelope.algorithm == algorithm)
      try envelope.verify(by: key.publicKey, externalData: [1, 2], cryptography: cryptography)
      #expect(throws: EnvelopeError.badSignature) {
        try envelope.verify(by: key.publicKey, externalData: [1], cryptography: cryptography)
      }
    }
  }

  @Test("The first bytes are the ones of the protocol's page", arguments: SignatureAlgorithm.allCases)
  func shape(algorithm: SignatureAlgorithm) throws {
    let bytes = try SignedEnvelope.sign([9], by: FakeSigningKey("shape", algorithm: algorithm))
    #expect(
      Array(bytes.prefix(9)) == (try hex(algorithm == .ed25519 ? "d284 43a10127 a0 4109" : "d284 43a10126 a0 4109")))
    #expect(bytes.count == 9 + 2 + 64)
  }

  @Test("A key never verifies what names another algorithm")
  func otherAlgorithm() throws {
    let bytes = try SignedEnvelope.sign([9], by: key)
    let other = FakeSigningKey("envelope", algorithm: .es256)
    let envelope = try SignedEnvelope(bytes, form: .message)
    #expect(throws: EnvelopeError.badSignature) {
      try envelope.verify(by: other.publicKey, cryptography: cryptography)
    }
  }

  @Test(
    "Headers that break a rule are refused, in messages and in credentials",
    arguments: [
      ("a0", "a0", EnvelopeError.Rule.algorithm), ("", "a0", .algorithm), ("a10138ff", "a0", .algorithm),
      ("a1016545644453 41", "a0", .algorithm), ("a10127", "a10127", .algorithm), ("a0", "a10127", .algorithm),
      ("a2012702810a", "a0", .critical), ("a20127028101", "a0", .critical), ("a201270280", "a0", .critical),
      ("a10127", "a10281 0a", .critical), ("a201270441aa", "a10441aa", .header), ("a201270401", "a0", .header),
      ("a201274100 00", "a0", .header), ("a1014127", "a0", .header), ("80", "a0", .structure),
      ("a10127", "80", .structure),
      ("a201273bffffffffffffffff00", "a0", .header),
    ])
  func headers(protected: String, unprotected: String, rule: EnvelopeError.Rule) throws {
    let bytes = try envelope(protected: protected, unprotected: unprotected)
    for form in [SignedEnvelope.Form.message, .credential] {
      #expect(throws: EnvelopeError.invalid(rule)) { try SignedEnvelope(bytes, form: form) }
    }
  }

  @Test(
    "Headers with more than the algorithm are for credentials only",
    arguments: [
      ("a201270441aa", "a0"), ("a10127", "a10441aa"), ("a201270300", "a0"), ("a10127", "a163666f6f00"),
      ("a201271901f4820102", "a0"), ("a2012763666f6f63626172", "a10300"),
    ])
  func tolerance(protected: String, unprotected: String) throws {
    let bytes = try envelope(protected: protected, unprotected: unprotected)
    #expect(throws: EnvelopeError.invalid(.notExact)) { try SignedEnvelope(bytes, form: .message) }
    let envelope = try SignedEnvelope(bytes, form: .credential)
    let hasKeyIdentifier = protected.contains("0441aa") || unprotected.contains("0441aa")
    #expect(envelope.keyIdentifier == (hasKeyIdentifier ? [0xaa] : nil))
  }

  @Test("The tag of a CWT may stand in front of a credential only, once")
  func tags() throws {
    _ = try SignedEnvelope(try envelope(tags: [61, 18]), form: .credential)
    #expect(throws: EnvelopeError.notAnEnvelope) { try SignedEnvelope(try envelope(tags: [61, 18]), form: .message) }
    for tags in [[], [17], [98], [61], [18, 61], [61, 61, 18], [61, 17]] as [[UInt64]] {
      let bytes = try envelope(tags: tags)
      #expect(throws: EnvelopeError.self) { try SignedEnvelope(bytes, form: .credential) }
      #expect(throws: EnvelopeError.self) { try SignedEnvelope(bytes, form: .message) }
    }
  }

  @Test(
    "Something else behind the tag is refused",
    arguments: [
      "d280", "d2a0", "d200", "d28343a10127a041aa", "d28543a10127a041aa410000", "d284a10127a041aa4100",
      "d28443a10127a0614141aa", "d28443a10127a041aa6161", "d2d28443a10127a041aa4100",
    ])
  func structure(text: String) throws {
    let bytes = try hex(text)
    #expect(throws: EnvelopeError.invalid(.structure)) { try SignedEnvelope(bytes, form: .message) }
    #expect(throws: EnvelopeError.invalid(.structure)) { try SignedEnvelope(bytes, form: .credential) }
  }

  @Test("A payload that is not inside, and a signature of a wrong size, are refused", arguments: [0, 63, 65])
  func sizes(size: Int) throws {
    let detached = try envelope(payload: "f6")
    #expect(throws: EnvelopeError.invalid(.detachedPayload)) { try SignedEnvelope(detached, form: .message) }
    let bytes = try envelope(signature: size)
    #expect(throws: EnvelopeError.invalid(.signatureSize)) { try SignedEnvelope(bytes, form: .message) }
  }

  @Test("Nothing that differs in one byte verifies, and nothing traps")
  func flips() throws {
    let bytes = try SignedEnvelope.sign([1, 2, 3, 4], by: key)
    let accepted = acceptedAfterTampering(with: bytes) { changed in
      let envelope = try SignedEnvelope(changed, form: .credential)
      try envelope.verify(by: key.publicKey, cryptography: cryptography)
    }
    #expect(accepted == [])
  }

  @Test("A key that signs with a wrong size is noticed")
  func brokenKey() {
    struct BrokenKey: SigningKey {
      let publicKey = FakeSigningKey("broken").publicKey
      func sign(_ message: Span<UInt8>) -> [UInt8] { [1] }
    }
    #expect(throws: SigningError.self) { try SignedEnvelope.sign([], by: BrokenKey()) }
  }
}
