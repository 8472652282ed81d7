internal import CheckInCore
internal import OpenSSLCryptography
internal import Testing

@Suite("Vectors of tickets, made elsewhere")
struct TicketVectorTests {
  struct File: Decodable {
    struct Accepted: Decodable {
      let name: String
      let issuer: String
      let bytes: String
      let payload: String
      let sigStructure: String
      let claims: Claims
    }
    struct Claims: Decodable {
      let event: String
      let subject: String
      let role: UInt64
      let name: String
      let algorithm: String
      let `public`: String
      let expires: Int64?
      let notBefore: Int64?
      let issued: Int64?
      let serial: String
      let gates: [String]?
      let eventName: String
    }
    struct Refused: Decodable {
      let name: String
      let issuer: String
      let bytes: String
      let why: String
    }

    let accepted: [Accepted]
    let refused: [Refused]
  }

  let cryptography = OpenSSLCryptography()

  @Test("Each good one is read, claim by claim, and signing the same claims gives the same bytes")
  func accepted() throws {
    let file: File = try VectorFiles.read("tickets")
    #expect(file.accepted.count >= 14)
    var same = 0
    for vector in file.accepted {
      let issuer = try VectorFiles.key(vector.issuer)
      let bytes = try hex(vector.bytes)
      let envelope = try SignedEnvelope(bytes, form: .credential)
      #expect(envelope.payload == (try hex(vector.payload)), "\(vector.name)")
      #expect(
        SignedEnvelope.signedBytes(envelope.protectedHeader, [], envelope.payload) == (try hex(vector.sigStructure)))
      let credential = try Credential(bytes, issuedBy: issuer.publicKey(), cryptography: cryptography)
      let claims = vector.claims
      let expected = Credential(
        role: try #require(Credential.Role(rawValue: claims.role)), event: claims.event, eventName: claims.eventName,
        subject: claims.subject, name: claims.name,
        key: try #require(
          PublicKey(algorithm: claims.algorithm == "EdDSA" ? .ed25519 : .es256, bytes: try hex(claims.public))),
        serial: try hex(claims.serial),
        validity: Validity(
          issuedAt: claims.issued.map { WallTime(secondsSince1970: $0) },
          validFrom: claims.notBefore.map { WallTime(secondsSince1970: $0) },
          validUntil: claims.expires.map { WallTime(secondsSince1970: $0) }, gates: claims.gates ?? []))
      #expect(credential == expected, "\(vector.name)")
      if issuer.algorithm == "EdDSA", try credential.sign(by: issuer.ed25519Key()) == bytes { same += 1 }
    }
    // The others have headers or claims that this library does not write.
    #expect(same >= 5)
  }

  @Test("Each bad one is refused, for the reason that it gives")
  func refused() throws {
    let file: File = try VectorFiles.read("tickets")
    #expect(file.refused.count >= 40)
    for vector in file.refused {
      let issuer = try VectorFiles.key(vector.issuer).publicKey()
      let bytes = try hex(vector.bytes)
      var why = "accepted"
      do throws(CredentialError) {
        let credential = try Credential(bytes, issuedBy: issuer, cryptography: cryptography)
        if credential.role != .attendee { why = "wrong_role" }
      } catch {
        switch error {
        case .notACredential: why = "unknown"
        case .malformed: why = "malformed"
        case .forged: why = "forged"
        case .limitExceeded, .signingFailed: why = "\(error)"
        }
      }
      #expect(why == vector.why, "\(vector.name)")
    }
  }
}
