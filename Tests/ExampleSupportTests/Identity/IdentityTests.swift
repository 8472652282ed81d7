internal import CheckInCore
internal import ExampleSupport
internal import OpenSSLCryptography
internal import Testing

/// An event with its files.
private struct Fixture {
  let issuerKey: OpenSSLSigningKey
  let issuer: IssuerFile
  let folder: TemporaryFolder

  init(event: String = "demo-day", algorithm: SignatureAlgorithm = .ed25519) throws {
    issuerKey = try OpenSSLSigningKey.generate(algorithm)
    issuer = IssuerFile(event: event, name: "Demo Day", key: issuerKey.publicKey)
    folder = try TemporaryFolder()
  }

  func credential(_ role: Credential.Role, _ key: PublicKey, event: String? = nil) -> Credential {
    Credential(
      role: role, event: event ?? issuer.event, eventName: issuer.name, subject: "ada-lovelace", name: "Ada Lovelace",
      key: key, serial: [1, 2, 3], validity: Validity(issuedAt: nil, validFrom: nil, validUntil: nil, gates: ["Hall A"])
    )
  }

  func write(_ bytes: [UInt8], _ name: String = "file", access: AtomicFile.Access = .secret) throws -> String {
    let path = "\(folder.path)/\(name)"
    try AtomicFile.write(bytes, to: path, what: "file", access: access, replacing: true)
    return path
  }

  func ticket(_ algorithm: SignatureAlgorithm = .ed25519) throws -> TicketFile {
    let key = try OpenSSLSigningKey.generate(algorithm)
    let credential = credential(.attendee, key.publicKey)
    return TicketFile(token: try credential.sign(by: issuerKey), credential: credential, key: key)
  }

  func kiosk() throws -> KioskFile {
    let key = try OpenSSLSigningKey.generate(.ed25519)
    let credential = credential(.kiosk, key.publicKey)
    return KioskFile(bytes: try credential.sign(by: issuerKey), credential: credential, key: key)
  }
}

@Suite("Identity files")
struct IdentityTests {
  private func fault(_ body: () throws(FileError) -> Void) -> FileError? {
    do throws(FileError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  private func faultOfTicket(_ text: String, _ fixture: Fixture) throws -> String {
    let path = try fixture.write(Array(text.utf8))
    let error = fault { () throws(FileError) in _ = try TicketFile.read(path, issuer: fixture.issuer) }
    #expect(error?.status == .badData)
    let start = "The ticket file “\(path)” cannot be used: "
    #expect(error?.message.hasPrefix(start) == true)
    return String(error?.message.dropFirst(start.count) ?? "")
  }

  @Test("of a ticket are read back as they were written", arguments: SignatureAlgorithm.allCases)
  func readTickets(algorithm: SignatureAlgorithm) throws {
    let fixture = try Fixture(algorithm: algorithm)
    let ticket = try fixture.ticket(algorithm)
    let path = try fixture.write(try ticket.text(notes: ["For Ada\n-----BEGIN PRIVATE KEY-----"]))
    let read = try TicketFile.read(path, issuer: fixture.issuer)
    #expect(read.token == ticket.token)
    #expect(read.credential == ticket.credential)
    #expect(read.key.publicKey == ticket.key.publicKey)
  }

  @Test("of a listed token are read back as they were written")
  func readTokens() throws {
    let fixture = try Fixture()
    let ticket = TicketFile(
      token: Array(0..<16), credential: nil, key: try OpenSSLSigningKey.generate(.es256))
    let read = try TicketFile.read(try fixture.write(try ticket.text(notes: [])), issuer: fixture.issuer)
    #expect(read.token == ticket.token)
    #expect(read.credential == nil)
    #expect(read.key.publicKey == ticket.key.publicKey)
  }

  @Test("of a kiosk and of an issuer are read back as they were written", arguments: SignatureAlgorithm.allCases)
  func readOthers(algorithm: SignatureAlgorithm) throws {
    let fixture = try Fixture(algorithm: algorithm)
    let issuerPath = try fixture.write(try fixture.issuer.text(), "issuer.pem", access: .everybody)
    #expect(try IssuerFile.read(issuerPath) == fixture.issuer)
    let kiosk = try fixture.kiosk()
    let read = try KioskFile.read(try fixture.write(try kiosk.text()), issuer: fixture.issuer)
    #expect(read.bytes == kiosk.bytes)
    #expect(read.credential == kiosk.credential)
    #expect(read.key.publicKey == kiosk.key.publicKey)
  }

  @Test("survive what mail programs and editors do to lines")
  func surviveEditors() throws {
    let fixture = try Fixture()
    let ticket = try fixture.ticket()
    let text = String(decoding: try ticket.text(notes: ["For Ada"]), as: UTF8.self)
    let changed = "Hello Ada,\r\n\r\n" + text.replacing("\n", with: "  \r\n") + "\r\nKind regards\r\n"
    #expect(try TicketFile.read(try fixture.write(Array(changed.utf8)), issuer: fixture.issuer).token == ticket.token)
  }

  @Test("that are none are refused in words")
  func refuseOthers() throws {
    let fixture = try Fixture()
    let ticket = try fixture.ticket()
    let text = String(decoding: try ticket.text(notes: []), as: UTF8.self)
    #expect(try faultOfTicket("", fixture) == "it is empty.")
    #expect(try faultOfTicket("\0\u{1}binary", fixture) == "there is no line “-----BEGIN …-----” in it.")
    #expect(
      try faultOfTicket(String(text.prefix(100)), fixture)
        == "it is cut off: the block “CHECKIN TICKET” of line 1 has no end.")
    #expect(
      try faultOfTicket(text.replacing("-----END CHECKIN TICKET-----", with: ""), fixture)
        == "the block “CHECKIN TICKET” of line 1 has no end.")
    #expect(
      try faultOfTicket(
        text.replacing("-----BEGIN CHECKIN TICKET-----\n", with: "-----BEGIN CHECKIN TICKET-----\n!"), fixture)
        == "the block “CHECKIN TICKET” of line 1 is damaged: it is not base64.")
    #expect(
      try faultOfTicket(String(decoding: try fixture.issuer.text(), as: UTF8.self), fixture)
        == "it is not a ticket file: it holds “CHECKIN ISSUER”, “PUBLIC KEY” and no “CHECKIN TICKET”.")
    #expect(
      try faultOfTicket(text + text, fixture) == "the block “CHECKIN TICKET” stands in it more than once.")
    #expect(
      try faultOfTicket(
        "-----BEGIN CHECKIN TICKET-----\nAAAA\n-----END CHECKIN TICKET-----\n", fixture) == "this is not a ticket.")
  }

  @Test("with a key that is not the credential’s, or none, are refused")
  func refuseOtherKeys() throws {
    let fixture = try Fixture()
    let (ada, grace) = (try fixture.ticket(), try fixture.ticket())
    let mixed = TicketFile(token: ada.token, credential: ada.credential, key: grace.key)
    #expect(
      try faultOfTicket(String(decoding: try mixed.text(notes: []), as: UTF8.self), fixture)
        == "the private key in it does not belong to the credential; two files were mixed up.")
    let text = String(decoding: try ada.text(notes: []), as: UTF8.self)
    let withoutKey = text.prefix(upTo: try #require(text.firstRange(of: "-----BEGIN PRIVATE")).lowerBound)
    #expect(
      try faultOfTicket(String(withoutKey), fixture)
        == "it is not a ticket file: it holds “CHECKIN TICKET” and no “PRIVATE KEY”.")
    let broken = withoutKey + "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
    #expect(try faultOfTicket(String(broken), fixture) == "the private key is damaged: it is not PKCS#8.")
  }

  @Test("of another issuer, event or role are refused")
  func refuseForeign() throws {
    let fixture = try Fixture()
    let other = try Fixture()
    let foreign = String(decoding: try other.ticket().text(notes: []), as: UTF8.self)
    #expect(
      try faultOfTicket(foreign, fixture)
        == "it was not made by the issuer of “Demo Day”; perhaps it is for another event.")
    let key = try OpenSSLSigningKey.generate(.ed25519)
    let elsewhere = fixture.credential(.attendee, key.publicKey, event: "other-day")
    let text = try TicketFile(token: try elsewhere.sign(by: fixture.issuerKey), credential: elsewhere, key: key)
      .text(notes: [])
    #expect(
      try faultOfTicket(String(decoding: text, as: UTF8.self), fixture)
        == "it is for the event “Demo Day” (other-day), and the issuer file is for “Demo Day” (demo-day).")
    let kiosk = try fixture.kiosk()
    let disguised = TicketFile(token: kiosk.bytes, credential: kiosk.credential, key: kiosk.key)
    #expect(
      try faultOfTicket(String(decoding: try disguised.text(notes: []), as: UTF8.self), fixture)
        == "it is not a ticket file: it is the credential of a kiosk.")
  }

  @Test("that others may read get a warning with the remedy")
  func warn() throws {
    let fixture = try Fixture()
    let path = try fixture.write([1], "a b.ticket", access: .everybody)
    #expect(FileReading.warning(forSecret: path)?.hasSuffix("chmod 600 '\(path)'") == true)
    #expect(FileReading.warning(forSecret: try fixture.write([1], "c.ticket")) == nil)
    #expect(FileReading.warning(forSecret: "\(fixture.folder.path)/none") == nil)
  }

  @Test("cut off at any byte, or with any byte changed, are refused or read as they were, and nothing traps")
  func surviveDamage() throws {
    let fixture = try Fixture()
    let ticket = try fixture.ticket()
    let bytes = try ticket.text(notes: [])
    var generator = SystemRandomNumberGenerator()
    for place in bytes.indices {
      let path = try fixture.write(Array(bytes[..<place]))
      #expect(
        fault { () throws(FileError) in _ = try TicketFile.read(path, issuer: fixture.issuer) } != nil
          || place == bytes.count - 1)
      guard place % 3 == 0 else { continue }
      var changed = bytes
      changed[place] = UInt8.random(in: 0...255, using: &generator)
      let other = try fixture.write(changed)
      if let read = try? TicketFile.read(other, issuer: fixture.issuer) { #expect(read.token == ticket.token) }
    }
  }
}
