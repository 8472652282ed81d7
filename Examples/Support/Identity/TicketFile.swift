package import CheckInCore
package import OpenSSLCryptography

/// An attendee's ticket with the private key that belongs to it: what the organizer gives to one person, and the phone keeps.
///
/// It holds a block `CHECKIN TICKET` (a signed ticket) or `CHECKIN TOKEN` (bytes that only a list knows), and a block
/// `PRIVATE KEY`. Who has the file has the ticket, so it is its owner's alone.
package struct TicketFile: Sendable {
  static let ticketLabel = "CHECKIN TICKET"
  static let tokenLabel = "CHECKIN TOKEN"

  /// What the phone presents.
  package let token: [UInt8]
  /// What the token says, where it is a signed ticket.
  package let credential: Credential?
  /// The attendee's key.
  package let key: OpenSSLSigningKey

  /// A file with a signed ticket, or with a token of a list when there is no credential.
  package init(token: [UInt8], credential: Credential?, key: OpenSSLSigningKey) {
    self.token = token
    self.credential = credential
    self.key = key
  }

  /// Reads the file, and checks that the issuer signed the ticket and that the key belongs to it.
  ///
  /// - Throws: ``FileError``.
  package static func read(_ path: String, issuer: IssuerFile) throws(FileError) -> TicketFile {
    try IdentityText.read(path, what: "ticket file") { blocks throws(TextBlock.Fault) in
      if blocks.contains(where: { $0.label == tokenLabel }) {
        let token = try blocks.only(tokenLabel, what: "a ticket file").bytes
        guard 16...MessageLimits.token ~= token.count else {
          throw TextBlock.Fault("the block “\(tokenLabel)” is damaged: a token has 16 to \(MessageLimits.token) bytes")
        }
        let key = try IdentityText.privateKey(blocks, what: "a ticket file")
        return TicketFile(token: token, credential: nil, key: key)
      }
      let token = try blocks.only(ticketLabel, what: "a ticket file").bytes
      let (credential, key) = try IdentityText.credential(
        token, .attendee, issuer: issuer, blocks, what: "a ticket file")
      return TicketFile(token: token, credential: credential, key: key)
    }
  }

  /// The file's content. The caller wipes it.
  ///
  /// - Parameter notes: what a person should read about it: lines.
  package func text(notes: [String]) throws(OpenSSLError) -> [UInt8] {
    try IdentityText.file(
      notes: notes, label: credential == nil ? Self.tokenLabel : Self.ticketLabel, credential: token, key: key)
  }
}
