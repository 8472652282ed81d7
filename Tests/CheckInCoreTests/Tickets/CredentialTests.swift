internal import CheckInCore
internal import TestSupport
internal import Testing

@Suite("Credentials")
struct CredentialTests {
  let cryptography = FakeCryptography()
  let issuer = FakeSigningKey("issuer")

  static func ticket(
    role: Credential.Role = .attendee, event: String = "meetup", eventName: String = "Meetup", subject: String = "ada",
    name: String = "Ada Lovelace", key: PublicKey = FakeSigningKey("ada").publicKey, serial: [UInt8] = [1, 2, 3],
    issuedAt: Int64? = 1000, validFrom: Int64? = 2000, validUntil: Int64? = 3000, gates: [String] = ["North", "Süd"]
  ) -> Credential {
    Credential(
      role: role, event: event, eventName: eventName, subject: subject, name: name, key: key, serial: serial,
      validity: Validity(
        issuedAt: issuedAt.map { WallTime(secondsSince1970: $0) },
        validFrom: validFrom.map { WallTime(secondsSince1970: $0) },
        validUntil: validUntil.map { WallTime(secondsSince1970: $0) }, gates: gates))
  }

  static let samples: [Credential] = [
    ticket(), ticket(role: .kiosk, subject: "hall-a", name: "Hall A"), ticket(gates: []),
    ticket(issuedAt: nil, validFrom: nil, validUntil: nil, gates: []),
    ticket(key: FakeSigningKey("ada", algorithm: .es256).publicKey),
    ticket(eventName: "", name: "", issuedAt: .min, validFrom: -1, validUntil: .max),
    ticket(
      event: String(repeating: "é", count: 128), eventName: String(repeating: "e", count: 256),
      subject: String(repeating: "s", count: 256), name: String(repeating: "\u{1f39f}", count: 64),
      serial: [UInt8](repeating: 0xff, count: 64), gates: (0..<64).map { "gate \($0)" }),
  ]

  @Test("What an issuer signs is read again", arguments: samples, SignatureAlgorithm.allCases)
  func roundTrip(credential: Credential, algorithm: SignatureAlgorithm) throws {
    let issuer = FakeSigningKey("issuer", algorithm: algorithm)
    let bytes = try credential.sign(by: issuer)
    #expect(try Credential(bytes, issuedBy: issuer.publicKey, cryptography: cryptography) == credential)
    #expect(
      try Credential([0xd8, 0x3d] + bytes, issuedBy: issuer.publicKey, cryptography: cryptography) == credential)
  }

  @Test("The holder is what the ticket says")
  func holder() {
    let holder = Self.ticket().holder
    #expect(holder.attendee == "ada" && holder.name == "Ada Lovelace" && holder.key == FakeSigningKey("ada").publicKey)
    #expect(holder.issuedAt == WallTime(secondsSince1970: 1000) && holder.validFrom == WallTime(secondsSince1970: 2000))
    #expect(holder.validUntil == WallTime(secondsSince1970: 3000) && holder.gates == ["North", "Süd"])
  }

  @Test(
    "What a reader would refuse is not signed",
    arguments: [
      ticket(event: ""), ticket(subject: ""), ticket(serial: []), ticket(serial: [UInt8](repeating: 0, count: 65)),
      ticket(event: String(repeating: "e", count: 257)), ticket(name: String(repeating: "é", count: 129)),
      ticket(gates: [String](repeating: "g", count: 65)), ticket(gates: [String(repeating: "g", count: 129)]),
      ticket(gates: (0..<64).map { "\($0)" + String(repeating: "g", count: 100) }),
    ])
  func limits(credential: Credential) {
    #expect(throws: CredentialError.limitExceeded) { try credential.sign(by: issuer) }
  }

  @Test("Another issuer's, and one that its holder signed, is forged", arguments: ["other issuer", "ada"])
  func forged(signer: String) throws {
    let bytes = try Self.ticket().sign(by: FakeSigningKey(signer))
    #expect(throws: CredentialError.forged) {
      try Credential(bytes, issuedBy: issuer.publicKey, cryptography: cryptography)
    }
  }

  @Test("A key that cannot sign says so")
  func signingFails() {
    struct LostKey: SigningKey {
      let publicKey = FakeSigningKey("lost").publicKey
      func sign(_ message: Span<UInt8>) throws(SigningError) -> [UInt8] { throw SigningError("The key is gone.") }
    }
    #expect(throws: CredentialError.signingFailed("The key is gone.")) { try Self.ticket().sign(by: LostKey()) }
  }

  @Test("Words, tokens of a list and nothing at all are no credentials", arguments: ["", "a token", "\u{12}"])
  func words(text: String) {
    #expect(throws: CredentialError.notACredential) {
      try Credential(Array(text.utf8), issuedBy: issuer.publicKey, cryptography: cryptography)
    }
  }

  @Test("Every changed byte, and every truncation, is refused, whatever it is changed to")
  func flips() throws {
    let bytes = try Self.ticket().sign(by: issuer)
    let accepted = acceptedAfterTampering(with: bytes) { changed in
      _ = try Credential(changed, issuedBy: issuer.publicKey, cryptography: cryptography)
    }
    #expect(accepted == [])
  }

  @Test("Claims that an issuer signed and nobody understands never trap", arguments: 0..<20)
  func signedGarbage(seed: Int) throws {
    var dice = SplitMix64(seed: UInt64(seed))
    let payload = try SignedEnvelope(try Self.ticket().sign(by: issuer), form: .credential).payload
    var readable = 0
    for _ in 0..<500 {
      let bytes = try SignedEnvelope.sign(dice.mutated(payload), by: issuer)
      do throws(CredentialError) {
        _ = try Credential(bytes, issuedBy: issuer.publicKey, cryptography: cryptography)
        readable += 1
      } catch {
        guard case .malformed = error else {
          Issue.record("signed, and yet \(error)")
          continue
        }
      }
    }
    // A letter of a name may change and leave a credential.
    #expect(readable > 0)
  }
}
