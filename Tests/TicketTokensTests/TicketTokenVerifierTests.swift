internal import CheckIn
internal import CheckInCore
internal import OpenSSLCryptography
internal import TestSupport
internal import Testing
internal import TicketTokens

@Suite("Judging tickets")
struct TicketTokenVerifierTests {
  let issuer = FakeSigningKey("issuer")

  func ticket(
    role: Credential.Role = .attendee, event: String = "meetup", subject: String = "ada", serial: [UInt8] = [1],
    validUntil: WallTime? = nil, gates: [String] = []
  ) -> Credential {
    Credential(
      role: role, event: event, eventName: "Meetup", subject: subject, name: "Ada Lovelace",
      key: FakeSigningKey("ada").publicKey, serial: serial,
      validity: Validity(issuedAt: nil, validFrom: nil, validUntil: validUntil, gates: gates))
  }

  func verifier(_ revocations: Revocations = Revocations()) -> TicketTokenVerifier {
    TicketTokenVerifier(
      issuer: issuer.publicKey, event: "meetup", cryptography: FakeCryptography(), revocations: revocations)
  }

  @Test("A ticket of the issuer's names its holder")
  func valid() async throws {
    let ticket = ticket(gates: ["North"])
    #expect(await verifier().judge(try ticket.sign(by: issuer)) == .valid(ticket.holder))
  }

  @Test("Times and gates are not the verifier's business")
  func expired() async throws {
    let ticket = ticket(validUntil: WallTime(secondsSince1970: 0), gates: ["nowhere"])
    #expect(await verifier().judge(try ticket.sign(by: issuer)) == .valid(ticket.holder))
  }

  @Test(
    "R16: what is no ticket is unknown, so that another verifier may know it",
    arguments: ["", "A-0001", "0", "ticket", "Ò"])
  func unknown(token: String) async {
    #expect(await verifier().judge(Array(token.utf8)) == .invalid(.unknown))
  }

  @Test("R16: what begins like a ticket and is none is malformed, at every length")
  func malformed() async throws {
    let bytes = try ticket().sign(by: issuer)
    for length in 1..<bytes.count {
      #expect(await verifier().judge(Array(bytes[..<length])) == .invalid(.malformed))
    }
    #expect(await verifier().judge(bytes + [0]) == .invalid(.malformed))
    #expect(await verifier().judge([0xd2] + [UInt8](repeating: 0, count: 100_000)) == .invalid(.malformed))
    let claims = try SignedEnvelope.sign([0xa0], by: issuer)
    #expect(await verifier().judge(claims) == .invalid(.malformed))
  }

  @Test("R16: what another signed is forged, whatever is in it", arguments: ["ada", "other issuer"])
  func forged(signer: String) async throws {
    let bytes = try ticket().sign(by: FakeSigningKey(signer))
    #expect(await verifier().judge(bytes) == .invalid(.forged))
    let garbage = try SignedEnvelope.sign([0xff], by: FakeSigningKey(signer))
    #expect(await verifier().judge(garbage) == .invalid(.forged))
  }

  @Test("A kiosk's credential does not check anyone in, of whatever event")
  func wrongRole() async throws {
    for event in ["meetup", "other"] {
      let bytes = try ticket(role: .kiosk, event: event).sign(by: issuer)
      #expect(await verifier().judge(bytes) == .invalid(.wrongRole))
    }
  }

  @Test("A ticket for another event of the issuer's is refused with its reason")
  func wrongEvent() async throws {
    let ticket = ticket(event: "other")
    let verifier = verifier(Revocations(attendees: ["ada"]))
    #expect(await verifier.judge(try ticket.sign(by: issuer)) == .refused(.wrongEvent, ticket.holder))
  }

  @Test("What the organizer took back is refused at once, and only that")
  func revoked() async throws {
    let verifier = verifier()
    let (first, second) = (ticket(serial: [1]), ticket(serial: [2]))
    let (firstBytes, secondBytes) = (try first.sign(by: issuer), try second.sign(by: issuer))
    verifier.replaceRevocations(with: Revocations(serials: [[1]]))
    #expect(await verifier.judge(firstBytes) == .refused(.revoked, first.holder))
    #expect(await verifier.judge(secondBytes) == .valid(second.holder))
    verifier.replaceRevocations(with: Revocations(attendees: ["ada"]))
    #expect(await verifier.judge(secondBytes) == .refused(.revoked, second.holder))
    verifier.replaceRevocations(with: Revocations(serials: [[3]], attendees: ["grace"]))
    #expect(await verifier.judge(firstBytes) == .valid(first.holder))
  }

  @Test("a signed list takes back by attendee and by serial, whatever zeros are in front of that")
  func revokedByList() async throws {
    let verifier = verifier()
    func list(_ attendees: [String], _ serials: [[UInt8]]) -> RevocationList {
      RevocationList(
        event: "meetup", number: 1, issuedAt: WallTime(secondsSince1970: 0), attendees: attendees, serials: serials)
    }
    for (serial, listed, isRevoked) in [
      ([1, 2], [1, 2], true), ([0, 1, 2], [1, 2], true), ([1, 2], [0, 0, 1, 2], true), ([1, 2], [1, 2, 0], false),
      ([1, 2], [2], false), ([0], [0, 0], true),
    ] as [([UInt8], [UInt8], Bool)] {
      let ticket = ticket(serial: serial)
      verifier.replaceRevocations(with: Revocations(list([], [listed])))
      let verdict = await verifier.judge(try ticket.sign(by: issuer))
      #expect(verdict == (isRevoked ? .refused(.revoked, ticket.holder) : .valid(ticket.holder)), "\(serial) \(listed)")
    }
    let ticket = ticket(serial: [7])
    verifier.replaceRevocations(with: Revocations(list(["ada"], [])))
    #expect(await verifier.judge(try ticket.sign(by: issuer)) == .refused(.revoked, ticket.holder))
    var edited = Revocations(list([], [[7]]))
    edited.serials = []
    verifier.replaceRevocations(with: edited)
    #expect(await verifier.judge(try ticket.sign(by: issuer)) == .valid(ticket.holder))
  }

  @Test("A chain asks the next verifier about what is no ticket", .timeLimit(.minutes(1)))
  func chain() async throws {
    struct List: TokenVerifier {
      let holder: TokenHolder
      func judge(_ token: [UInt8]) async -> TokenVerdict { token == [1, 2] ? .valid(holder) : .invalid(.unknown) }
    }
    let holder = ticket(subject: "grace").holder
    let chain = TokenVerifierChain([verifier(), List(holder: holder)])
    #expect(await chain.judge([1, 2]) == .valid(holder))
    #expect(await chain.judge([1, 3]) == .invalid(.unknown))
    #expect(await chain.judge(try ticket().sign(by: FakeSigningKey("mallory"))) == .invalid(.forged))
  }

  @Test("It works with real keys", arguments: SignatureAlgorithm.allCases)
  func realKeys(algorithm: SignatureAlgorithm) async throws {
    let issuer = try OpenSSLSigningKey.generate(algorithm)
    let verifier = TicketTokenVerifier(
      issuer: issuer.publicKey, event: "meetup", cryptography: OpenSSLCryptography())
    var bytes = try ticket().sign(by: issuer)
    #expect(await verifier.judge(bytes) == .valid(ticket().holder))
    bytes[bytes.count - 1] ^= 1
    #expect(await verifier.judge(bytes) == .invalid(.forged))
    #expect(
      await verifier.judge(try ticket().sign(by: OpenSSLSigningKey.generate(algorithm))) == .invalid(.forged))
  }
}
