internal import CheckInCore
internal import OpenSSLCryptography
internal import Testing

@Suite("Vectors of lists of what was taken back, made elsewhere")
struct RevocationVectorTests {
  struct File: Decodable {
    struct Accepted: Decodable {
      let name: String
      let issuer: String
      let bytes: String
      let payload: String
      let externalAad: String
      let sigStructure: String
      let list: List
    }
    struct List: Decodable {
      let event: String
      let number: Int64
      let issued: Int64
      let attendees: [String]
      let serials: [String]
    }
    struct Refused: Decodable {
      let name: String
      let issuer: String
      let event: String
      let last: Int64
      let bytes: String
      let why: String
    }

    let accepted: [Accepted]
    let refused: [Refused]
  }

  let cryptography = OpenSSLCryptography()

  @Test("each good one is read, part by part, and signing the same gives the same bytes")
  func accepted() throws {
    let file: File = try VectorFiles.read("revocations")
    #expect(file.accepted.count >= 6)
    for vector in file.accepted {
      let issuer = try VectorFiles.key(vector.issuer)
      let bytes = try hex(vector.bytes)
      let envelope = try SignedEnvelope(bytes, form: .message)
      #expect(envelope.payload == (try hex(vector.payload)), "\(vector.name)")
      #expect(RevocationList.externalData == (try hex(vector.externalAad)))
      #expect(
        SignedEnvelope.signedBytes(envelope.protectedHeader, RevocationList.externalData, envelope.payload)
          == (try hex(vector.sigStructure)))
      let list = try RevocationList(
        bytes, issuedBy: issuer.publicKey(), event: vector.list.event, cryptography: cryptography)
      #expect(list.attendees.map { Array($0.utf8) } == vector.list.attendees.map { Array($0.utf8) }, "\(vector.name)")
      #expect(list.serials == (try vector.list.serials.map { try hex($0) }))
      let expected = RevocationList(
        event: vector.list.event, number: vector.list.number,
        issuedAt: WallTime(secondsSince1970: vector.list.issued), attendees: vector.list.attendees.reversed(),
        serials: try vector.list.serials.map { try hex($0) }.reversed())
      #expect(list == expected, "\(vector.name)")
      if issuer.algorithm == "EdDSA" { #expect(try list.sign(by: issuer.ed25519Key()) == bytes, "\(vector.name)") }
    }
  }

  @Test("each bad one is refused, for the reason that it gives")
  func refused() throws {
    let file: File = try VectorFiles.read("revocations")
    #expect(file.refused.count >= 40)
    for vector in file.refused {
      let issuer = try VectorFiles.key(vector.issuer).publicKey()
      let bytes = try hex(vector.bytes)
      var why = "accepted"
      do throws(RevocationListError) {
        let list = try RevocationList(
          bytes, issuedBy: issuer,
          event: vector.event, cryptography: cryptography)
        let last = RevocationList(
          event: vector.event, number: vector.last, issuedAt: list.issuedAt, attendees: [], serials: [])
        if let refusal = list.refusal(after: last) { throw refusal }
      } catch {
        switch error {
        case .notAList: why = "not_a_list"
        case .malformed: why = "malformed"
        case .forged: why = "forged"
        case .wrongEvent: why = "wrong_event"
        case .older: why = "older"
        case .sameNumber, .limitExceeded, .signingFailed: why = "\(error)"
        }
      }
      #expect(why == vector.why, "\(vector.name)")
    }
  }
}
