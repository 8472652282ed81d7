internal import CheckInCore
internal import OpenSSLCryptography

/// What the readers and writers of identity files have in common.
enum IdentityText {
  /// No identity file is larger.
  static let limit = 65_536

  /// Reads a file of blocks; every fault names the file.
  static func read<Result>(
    _ path: String, what: String, limit: Int = limit, _ body: ([TextBlock]) throws(TextBlock.Fault) -> Result
  ) throws(FileError) -> Result {
    var bytes = try FileReading.read(path, what: what, limit: limit)
    defer { SecretBytes.wipe(&bytes) }
    do throws(TextBlock.Fault) {
      return try body(try TextBlock.read(bytes))
    } catch {
      throw FileError(
        .badData, "The \(what) “\(path.printable)” cannot be used: \(error.message).")
    }
  }

  /// The private key of a file.
  static func privateKey(_ blocks: [TextBlock], what: String) throws(TextBlock.Fault) -> OpenSSLSigningKey {
    var pem = TextBlock("PRIVATE KEY", try blocks.only("PRIVATE KEY", what: what)).text
    defer { SecretBytes.wipe(&pem) }
    do throws(OpenSSLError) {
      return try OpenSSLSigningKey(pem: pem)
    } catch {
      throw TextBlock.Fault(error.message.asSentenceEnd)
    }
  }

  /// A public key from the content of its block.
  static func publicKey(_ content: SecretBytes) throws(TextBlock.Fault) -> PublicKey {
    do throws(OpenSSLError) {
      return try PublicKey(pem: TextBlock("PUBLIC KEY", content).text)
    } catch {
      throw TextBlock.Fault(error.message.asSentenceEnd)
    }
  }

  /// The credential, checked against issuer, role and key.
  static func credential(
    _ bytes: [UInt8], _ role: Credential.Role, issuer: IssuerFile, _ blocks: [TextBlock], what: String
  ) throws(TextBlock.Fault) -> (Credential, OpenSSLSigningKey) {
    let credential: Credential
    do throws(CredentialError) {
      credential = try Credential(bytes, issuedBy: issuer.key, cryptography: OpenSSLCryptography())
    } catch {
      switch error {
      case .forged:
        throw TextBlock.Fault(
          "it was not made by the issuer of “\(issuer.name.printable)”; perhaps it is for another event")
      default: throw TextBlock.Fault(error.message.asSentenceEnd)
      }
    }
    guard credential.role == role else {
      throw TextBlock.Fault("it is not \(what): it is the credential of \(role == .kiosk ? "an attendee" : "a kiosk")")
    }
    guard credential.event == issuer.event else {
      throw TextBlock.Fault(
        "it is for the event “\(credential.eventName.printable)” (\(credential.event.printable)), and the issuer file is "
          + "for “\(issuer.name.printable)” (\(issuer.event.printable))")
    }
    let key = try privateKey(blocks, what: what)
    guard key.publicKey == credential.key else {
      throw TextBlock.Fault("the private key in it does not belong to the credential; two files were mixed up")
    }
    return (credential, key)
  }

  /// The content of a file with a credential and its key. The caller wipes it.
  static func file(
    notes: [String], label: String, credential: [UInt8], key: OpenSSLSigningKey
  ) throws(OpenSSLError) -> [UInt8] {
    comment(notes) + TextBlock(label, SecretBytes(credential)).text + (try key.pem().bytes)
  }

  /// Lines for people. A name in them can neither break a line nor pretend to be a block.
  static func comment(_ lines: [String]) -> [UInt8] {
    lines.flatMap { Array("# \($0.printable)\n".utf8) }
  }
}
