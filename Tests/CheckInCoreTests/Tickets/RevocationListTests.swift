internal import CheckInCore
internal import TestSupport
internal import Testing

@Suite("Signed lists of what was taken back")
struct RevocationListTests {
  let cryptography = FakeCryptography()
  let issuer = FakeSigningKey("issuer")

  static func list(
    event: String = "meetup", number: Int64 = 7, issuedAt: Int64 = 1000, attendees: [String] = ["ada", "grace"],
    serials: [[UInt8]] = [[1, 2, 3]]
  ) -> RevocationList {
    RevocationList(
      event: event, number: number, issuedAt: WallTime(secondsSince1970: issuedAt), attendees: attendees,
      serials: serials)
  }

  private func read(_ bytes: [UInt8], event: String = "meetup") throws(RevocationListError) -> RevocationList {
    try RevocationList(bytes, issuedBy: issuer.publicKey, event: event, cryptography: cryptography)
  }

  /// A list with this content, rightly signed.
  private func sealed(_ parts: [(UInt64, [UInt8])]) throws -> [UInt8] {
    var writer = CBORWriter()
    writer.beginMap(parts.count)
    for (key, value) in parts {
      writer.write(key)
      writer.write(encoded: value)
    }
    return try SignedEnvelope.sign(writer.bytes, externalData: RevocationList.externalData, by: issuer)
  }

  static let samples: [RevocationList] = [
    list(), list(attendees: [], serials: []), list(number: .max, issuedAt: .min),
    list(
      event: String(repeating: "é", count: 128), attendees: [String(repeating: "s", count: 256), "e\u{301}", "\u{e9}"],
      serials: [[0], [0, 0], [UInt8](repeating: 0xff, count: 64)]),
    list(
      attendees: (0..<1_000).map { "attendee \($0)" }, serials: (0..<1_000).map { [UInt8($0 / 256), UInt8($0 % 256)] }),
  ]

  @Test("what an issuer signs is read again", arguments: samples, SignatureAlgorithm.allCases)
  func roundTrip(list: RevocationList, algorithm: SignatureAlgorithm) throws {
    let issuer = FakeSigningKey("issuer", algorithm: algorithm)
    let bytes = try list.sign(by: issuer)
    let again = try RevocationList(bytes, issuedBy: issuer.publicKey, event: list.event, cryptography: cryptography)
    #expect(again == list)
  }

  @Test("the order in which things are named, and naming them twice, change nothing")
  func hasOneForm() throws {
    let one = Self.list(attendees: ["grace", "ada", "ada", "bo"], serials: [[2, 1], [3], [2, 1]])
    let other = Self.list(attendees: ["bo", "ada", "grace"], serials: [[3], [2, 1]])
    #expect(one == other)
    #expect(one.attendees == ["bo", "ada", "grace"] && one.serials == [[3], [2, 1]])
    #expect(try one.sign(by: issuer) == other.sign(by: issuer))
  }

  @Test("two spellings of one letter are two attendees, and a list with the other is another list")
  func comparesBytes() throws {
    let list = Self.list(attendees: ["e\u{301}", "\u{e9}"])
    #expect(list.attendees.count == 2)
    #expect(Self.list(attendees: ["e\u{301}"]) != Self.list(attendees: ["\u{e9}"]))
    let bytes = try Self.list(event: "e\u{301}").sign(by: issuer)
    #expect(throws: RevocationListError.self) { try read(bytes, event: "\u{e9}") }
  }

  @Test("a list of another event is refused as that")
  func otherEvent() throws {
    let bytes = try Self.list(event: "winter").sign(by: issuer)
    #expect(throws: RevocationListError.wrongEvent("winter")) { try read(bytes) }
  }

  @Test("another issuer's is forged, and one whose algorithm is not the issuer's")
  func forged() throws {
    for signer in [FakeSigningKey("mallory"), FakeSigningKey("issuer", algorithm: .es256)] {
      let bytes = try Self.list().sign(by: signer)
      #expect(throws: RevocationListError.forged) { try read(bytes) }
    }
  }

  @Test("R26: no ticket and no message is taken for a list, nor a list for one of them, whatever is in it")
  func domains() throws {
    let list = try Self.list().sign(by: issuer)
    let content = try SignedEnvelope(list, form: .message).payload
    // As a ticket is signed, and as each message is, with a list's very content.
    let context = cryptography.sha256([1].span)
    let places: [[UInt8]] =
      [[]]
      + [MessageRole.kiosk, .attendee].flatMap { role in
        [0, 1, UInt64.max].map { MessageContext.externalData(role, sequence: $0, context: context) }
      }
    for place in places {
      let other = try SignedEnvelope.sign(content, externalData: place, by: issuer)
      #expect(throws: RevocationListError.forged) { try read(other) }
      #expect(throws: EnvelopeError.badSignature) {
        try SignedEnvelope(list, form: .message)
          .verify(by: issuer.publicKey, externalData: place, cryptography: cryptography)
      }
    }
    #expect(throws: CredentialError.forged) {
      try Credential(list, issuedBy: issuer.publicKey, cryptography: cryptography)
    }
    let ticket = try CredentialTests.ticket().sign(by: issuer)
    #expect(throws: RevocationListError.forged) { try read(ticket) }
  }

  @Test("only the bytes that this library writes for a list are read")
  func strict() throws {
    var one = CBORWriter()
    one.write(1 as UInt64)
    let number = one.bytes
    let event: [UInt8] = [0x66] + Array("meetup".utf8)
    let good: [(UInt64, [UInt8])] = [(0, number), (1, event), (2, number), (3, number), (4, [0x80]), (5, [0x80])]
    #expect(try read(sealed(good)) == Self.list(number: 1, issuedAt: 1, attendees: [], serials: []))
    func with(_ key: Int, _ value: [UInt8]) -> [(UInt64, [UInt8])] {
      var parts = good
      parts[key].1 = value
      return parts
    }
    let bad: [(String, [(UInt64, [UInt8])])] = [
      ("a part is missing", Array(good.dropLast())), ("a part is unknown", good + [(6, [0x80])]),
      ("a part is another", Array(good.dropLast()) + [(6, [0x80])]), ("version 2", with(0, [2])),
      ("an event that is empty", with(1, [0x60])), ("an event that is bytes", with(1, [0x41, 0x61])),
      ("the number 0", with(2, [0])), ("a negative number", with(2, [0x20])),
      ("a number above 64 bits signed", with(2, [0x1b, 0x80] + [UInt8](repeating: 0, count: 7))),
      ("a time that is text", with(3, [0x61, 0x31])), ("attendees that are a map", with(4, [0xa0])),
      ("an attendee who is empty", with(4, [0x81, 0x60])), ("an attendee in bytes", with(4, [0x81, 0x41, 0x61])),
      ("attendees out of order", with(4, [0x82, 0x61, 0x62, 0x61, 0x61])),
      ("a longer attendee first", with(4, [0x82, 0x62, 0x61, 0x61, 0x61, 0x62])),
      ("an attendee twice", with(4, [0x82, 0x61, 0x61, 0x61, 0x61])),
      ("a serial that is empty", with(5, [0x81, 0x40])), ("a serial in text", with(5, [0x81, 0x61, 0x61])),
      ("serials out of order", with(5, [0x82, 0x41, 2, 0x41, 1])),
      ("a serial twice", with(5, [0x82, 0x41, 1, 0x41, 1])),
      ("a serial of 65 bytes", with(5, [0x81, 0x58, 65] + [UInt8](repeating: 1, count: 65))),
      ("an array without a length", with(5, [0x9f, 0xff])), ("a number that is not shortest", with(2, [0x18, 1])),
    ]
    for (what, parts) in bad {
      let bytes = try sealed(parts)
      do throws(RevocationListError) {
        _ = try read(bytes)
        Issue.record("read, though it has \(what)")
      } catch {
        guard case .malformed = error else {
          Issue.record("\(what): \(error)")
          continue
        }
      }
    }
  }

  @Test(
    "what a reader would refuse is not signed",
    arguments: [
      list(event: ""), list(number: 0), list(number: -1), list(attendees: [""]), list(serials: [[]]),
      list(event: String(repeating: "e", count: 257)), list(attendees: [String(repeating: "é", count: 129)]),
      list(serials: [[UInt8](repeating: 0, count: 65)]),
    ])
  func limits(list: RevocationList) {
    #expect(throws: RevocationListError.limitExceeded) { try list.sign(by: issuer) }
  }

  @Test("a list of more than sixteen mebibytes is neither signed nor read")
  func largest() throws {
    let names = (0..<70_000).map { "\($0) " + String(repeating: "x", count: 240) }
    #expect(throws: RevocationListError.limitExceeded) { try Self.list(attendees: names).sign(by: issuer) }
    let large = [0xd2] + [UInt8](repeating: 0, count: RevocationLimits.list)
    #expect(throws: RevocationListError.malformed("it is larger than allowed")) { try read(large) }
  }

  @Test("words, tickets of a list and nothing at all are no lists", arguments: ["", "revoked", "id\nada\n", "\u{12}"])
  func words(text: String) {
    #expect(throws: RevocationListError.notAList) { try read(Array(text.utf8)) }
  }

  @Test("an older list does not take the place of a newer one, nor another with the same number; the same again may")
  func rollback() {
    let now = Self.list(number: 7)
    #expect(Self.list(number: 6).refusal(after: now) == .older(number: 6, than: 7))
    #expect(Self.list(number: 7, attendees: []).refusal(after: now) == .sameNumber(7))
    #expect(Self.list(number: 7, issuedAt: 1001).refusal(after: now) == .sameNumber(7))
    #expect(Self.list(number: 7).refusal(after: now) == nil)
    // What is given back is not in the newer list, which is taken all the same.
    #expect(Self.list(number: 8, attendees: [], serials: []).refusal(after: now) == nil)
  }

  @Test("every changed byte, and every truncation, is refused, whatever it is changed to")
  func flips() throws {
    let bytes = try Self.list().sign(by: issuer)
    #expect(acceptedAfterTampering(with: bytes) { _ = try read($0) } == [])
  }

  @Test("contents that an issuer signed and nobody understands never trap", arguments: 0..<20)
  func signedGarbage(seed: Int) throws {
    var dice = SplitMix64(seed: UInt64(seed))
    let payload = try SignedEnvelope(try Self.list().sign(by: issuer), form: .message).payload
    var readable = 0
    for _ in 0..<500 {
      let bytes = try SignedEnvelope.sign(
        dice.mutated(payload), externalData: RevocationList.externalData, by: issuer)
      do throws(RevocationListError) {
        let list = try read(bytes)
        // What is read has one encoding: this one.
        #expect(try list.sign(by: issuer) == bytes)
        readable += 1
      } catch {
        switch error {
        case .malformed, .wrongEvent: continue
        default: Issue.record("signed, and yet \(error)")
        }
      }
    }
    // A letter of a name may change and leave a list.
    #expect(readable > 0)
  }
}
