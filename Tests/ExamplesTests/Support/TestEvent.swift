internal import CheckInCore
internal import ExampleSupport
internal import Foundation
internal import OpenSSLCryptography
internal import TestSupport

/// An event in a folder: what the organizer program makes, for tests that need what it would refuse to make.
struct TestEvent: Sendable {
  let folder: ProcessFolder
  let id: String
  let name: String
  private let issuer: OpenSSLSigningKey

  /// An event with a fresh issuer, whose file is written.
  init(in folder: ProcessFolder, id: String = "meetup", name: String = "Meetup") throws {
    self.folder = folder
    self.id = id
    self.name = name
    issuer = try OpenSSLSigningKey.generate(.ed25519)
    try write(IssuerFile(event: id, name: name, key: issuer.publicKey).text(), to: "issuer.pem")
  }

  var issuerFile: String { folder.path("issuer.pem") }

  /// Makes a kiosk's identity; the path of its file.
  func kiosk(_ name: String = "Hall A", id: String = "hall-a", gates: [String] = []) throws -> String {
    let key = try OpenSSLSigningKey.generate(.ed25519)
    let credential = credential(.kiosk, id, name, key.publicKey, from: nil, until: nil, gates: gates)
    let file = KioskFile(bytes: try credential.sign(by: issuer), credential: credential, key: key)
    return try write(file.text(), to: "\(id).kiosk")
  }

  /// Makes a ticket; the path of its file.
  ///
  /// - Parameters:
  ///   - from: seconds from now at which it becomes valid.
  ///   - until: seconds from now at which it is valid no more.
  func ticket(
    _ name: String = "Ada Lovelace", id: String = "ada", algorithm: SignatureAlgorithm = .ed25519,
    from: Int64? = nil, until: Int64? = nil, gates: [String] = []
  ) throws -> String {
    let key = try OpenSSLSigningKey.generate(algorithm)
    let credential = credential(.attendee, id, name, key.publicKey, from: from, until: until, gates: gates)
    let file = TicketFile(token: try credential.sign(by: issuer), credential: credential, key: key)
    return try write(file.text(notes: ["The ticket of \(name)."]), to: "\(id).ticket")
  }

  /// A ticket that nobody but its maker signed, under this event's name. It is labelled as a token of a list, or the attendee
  /// program would find out by itself.
  func forgedTicket(_ name: String = "Ada Lovelace", id: String = "mallory") throws -> String {
    let key = try OpenSSLSigningKey.generate(.ed25519)
    let token = try credential(.attendee, id, name, key.publicKey, from: nil, until: nil, gates: [])
      .sign(by: OpenSSLSigningKey.generate(.ed25519))
    return try write(TicketFile(token: token, credential: nil, key: key).text(notes: []), to: "\(id).ticket")
  }

  /// Writes the signed list of what was taken back; the path of its file.
  @discardableResult
  func takeBack(_ attendees: [String], number: Int64) throws -> String {
    let list = RevocationList(
      event: id, number: number, issuedAt: Timestamp.wallTime, attendees: attendees, serials: [])
    let file = IssuerFile(event: id, name: name, key: issuer.publicKey)
    return try write(RevocationFile.text(list, bytes: list.sign(by: issuer), issuer: file), to: "revocations.list")
  }

  /// Reads a ticket's file.
  func read(_ ticket: String) throws -> TicketFile {
    try TicketFile.read(ticket, issuer: IssuerFile.read(issuerFile))
  }

  @discardableResult
  private func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: folder.path(name)))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path(name))
    return folder.path(name)
  }

  private func credential(
    _ role: Credential.Role, _ subject: String, _ name: String, _ key: PublicKey, from: Int64?, until: Int64?,
    gates: [String]
  ) -> Credential {
    let now = Timestamp.wallTime
    return Credential(
      role: role, event: id, eventName: self.name, subject: subject, name: name, key: key,
      serial: OpenSSLCryptography().randomBytes(16),
      validity: Validity(
        issuedAt: now, validFrom: from.map { now.advanced(by: .seconds($0)) },
        validUntil: until.map { now.advanced(by: .seconds($0)) }, gates: gates))
  }
}
