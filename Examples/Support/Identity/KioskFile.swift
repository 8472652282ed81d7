package import CheckInCore
package import OpenSSLCryptography

/// A kiosk's credential with the private key that belongs to it: what it proves itself with to every phone.
///
/// It holds a block `CHECKIN KIOSK CREDENTIAL` and a block `PRIVATE KEY`. It is the kiosk's alone.
package struct KioskFile: Sendable {
  static let label = "CHECKIN KIOSK CREDENTIAL"

  /// The credential as it is sent in every hello.
  package let bytes: [UInt8]
  /// What it says.
  package let credential: Credential
  /// The kiosk's key.
  package let key: OpenSSLSigningKey

  /// A kiosk's identity.
  package init(bytes: [UInt8], credential: Credential, key: OpenSSLSigningKey) {
    self.bytes = bytes
    self.credential = credential
    self.key = key
  }

  /// Reads the file, and checks that the issuer signed the credential and that the key belongs to it.
  ///
  /// - Throws: ``FileError``.
  package static func read(_ path: String, issuer: IssuerFile) throws(FileError) -> KioskFile {
    try IdentityText.read(path, what: "kiosk identity file") { blocks throws(TextBlock.Fault) in
      let bytes = try blocks.only(label, what: "a kiosk identity file").bytes
      let (credential, key) = try IdentityText.credential(
        bytes, .kiosk, issuer: issuer, blocks, what: "a kiosk identity file")
      return KioskFile(bytes: bytes, credential: credential, key: key)
    }
  }

  /// The file's content. The caller wipes it.
  package func text() throws(OpenSSLError) -> [UInt8] {
    try IdentityText.file(
      notes: [
        "The identity of the kiosk “\(credential.name)” (\(credential.subject)) at “\(credential.eventName)”.",
        "It is the kiosk’s alone: who has this file can pass for the kiosk.",
      ], label: Self.label, credential: bytes, key: key)
  }
}
