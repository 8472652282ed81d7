package import Certificates
package import CheckInCore
package import OpenSSLCryptography

/// What everybody may know of an event: its identifier, its name, and the key that signs its tickets. Kiosks and phones have
/// this file.
///
/// It holds a block `PUBLIC KEY`, as other tools write it, and a block `CHECKIN ISSUER` with the identifier and the name: two
/// lines of UTF-8. Behind them stands the issuer's certificate, by which TLS and containers are judged; files of older organizers
/// have none.
package struct IssuerFile: Hashable, Sendable {
  static let label = "CHECKIN ISSUER"

  /// The event's identifier.
  package let event: String
  /// The event's name, for people.
  package let name: String
  /// The issuer's public key.
  package let key: PublicKey
  /// The issuer's certificate, where there is one.
  package let certificate: Certificate?

  /// An issuer.
  package init(event: String, name: String, key: PublicKey, certificate: Certificate? = nil) {
    self.event = event
    self.name = name
    self.key = key
    self.certificate = certificate
  }

  /// Reads the file.
  ///
  /// - Throws: ``FileError``.
  package static func read(_ path: String) throws(FileError) -> IssuerFile {
    try IdentityText.read(path, what: "issuer file") { blocks throws(TextBlock.Fault) in
      let facts = try blocks.only(label, what: "an issuer file")
      let lines = String(decoding: facts.bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      guard lines.count == 2, lines.allSatisfy({ !$0.isEmpty && $0.utf8.count <= CredentialLimits.text }) else {
        throw TextBlock.Fault("the block “\(label)” is damaged: it is not an identifier and a name")
      }
      let key = try IdentityText.publicKey(blocks.only("PUBLIC KEY", what: "an issuer file"))
      var certificate: Certificate?
      if blocks.contains(where: { $0.label == Certificate.label }) {
        certificate = try Certificate(block: blocks.only(Certificate.label, what: "an issuer file"))
      }
      guard certificate == nil || (certificate?.publicKey == key && certificate?.event == String(lines[0])) else {
        throw TextBlock.Fault("the certificate in it is not of this issuer and event; two files were mixed up")
      }
      return IssuerFile(event: String(lines[0]), name: String(lines[1]), key: key, certificate: certificate)
    }
  }

  /// The file's content.
  package func text() throws(OpenSSLError) -> [UInt8] {
    IdentityText.comment([
      "The issuer of the event “\(name)” (\(event)).",
      "Everybody may have this file: kiosks and phones check tickets and each other with it.",
    ]) + TextBlock(Self.label, SecretBytes(Array("\(event)\n\(name)".utf8))).text + Array(try key.pem().utf8)
      + (certificate?.text ?? [])
  }
}
