package import Certificates
internal import CheckIn
package import CheckInCore
package import OpenSSLCryptography

extension PrivateKey {
  /// The same key for certificates.
  package convenience init(_ key: OpenSSLSigningKey) throws(FileError) {
    do {
      var pem = try key.pem().bytes
      defer { SecretBytes.wipe(&pem) }
      let block = try TextBlock.read(pem).only("PRIVATE KEY", what: "a private key")
      let bytes = block.bytes
      try self.init(pkcs8: bytes.span)
    } catch {
      throw FileError(.internal, "The key cannot be used for a certificate.")
    }
  }
}

extension WallTime {
  /// Whether this time lies between the two, which are inside, in words.
  package func standing(from: WallTime?, until: WallTime?) -> String {
    if let from, self < from { return "not valid yet" }
    if let until, self > until { return "expired" }
    return "valid now"
  }
}

extension Certificate {
  /// The label of a certificate's block (RFC 7468 §5).
  package static let label = "CERTIFICATE"

  /// A certificate from the content of its block.
  package convenience init(block: SecretBytes) throws(TextBlock.Fault) {
    let bytes = block.bytes
    do throws(CertificateError) {
      try self.init(der: bytes.span)
    } catch {
      throw TextBlock.Fault("the certificate in it is damaged")
    }
  }

  /// The certificate as text.
  package var text: [UInt8] { TextBlock(Certificate.label, SecretBytes(der)).text }

  /// What it says, in words: lines.
  package func lines(now: WallTime) -> [String] {
    let whose =
      switch role {
      case .issuer: "Issuer’s certificate of the event"
      case .kiosk: "Kiosk’s certificate"
      case .attendee: "Attendee’s certificate"
      case .enrollment: "Enrollment server’s certificate"
      case .installation: "Certificate for an app’s installation"
      case nil: "Certificate without a role at an event"
      }
    let kind =
      switch publicKey?.algorithm {
      case .ed25519: "Ed25519"
      case .es256: "ECDSA on P-256"
      case nil: "of a kind that is not used here"
      }
    let (from, until) = (WallTime(secondsSince1970: notBefore), WallTime(secondsSince1970: notAfter))
    return [
      "\(whose): \(name.isEmpty ? "without a name" : name)",
      "  event: \(event ?? "none")", "  id: \(id ?? "none")",
      "  valid: from \(from.rfc3339) until \(until.rfc3339), \(now.standing(from: from, until: until))",
      "  may issue others: \(isAuthority ? "yes" : "no")", "  key: \(kind)", "  serial: \(hexadecimal(serial))",
      "  SHA-256: \(hexadecimal(fingerprint.bytes))",
    ]
  }
}
