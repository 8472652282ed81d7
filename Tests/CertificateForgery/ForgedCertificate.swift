package import Certificates
package import CheckInCore
internal import Foundation
package import OpenSSLCryptography

/// A certificate put together byte by byte, so that it can have what no issuer should write.
package struct ForgedCertificate {
  package static let serverAuth = "2b06010505070301"
  package static let clientAuth = "2b06010505070302"
  package static let ed25519 = DER.sequence(DER.object("2b6570"))

  package var serial: [UInt8] = [0x11, 0x22]
  package var issuer = DER.name("Meetup")
  package var subject = DER.name("Ada Lovelace")
  package var notBefore: Int64 = 1_000_000_000
  package var notAfter: Int64 = 2_000_000_000
  package var keyInfo: [UInt8]
  package var authority: [UInt8]? = [0x30, 0x00]
  package var keyUsage: [UInt8]? = [0x03, 0x02, 0x07, 0x80]
  package var uses: [String]? = [clientAuth]
  /// General names, each with its tag.
  package var alternativeNames: [[UInt8]] = [uri("checkin:meetup/attendee/ada")]
  package var authorityKey: [UInt8]? = nil
  package var subjectKey: [UInt8]? = nil
  package var more: [[UInt8]] = []

  package static func uri(_ text: String) -> [UInt8] { DER.tagged(0x86, Array(text.utf8)) }

  package static func keyInfo(of key: PublicKey) -> [UInt8] {
    switch key.algorithm {
    case .ed25519: DER.sequence(ed25519, DER.bits(key.bytes))
    case .es256:
      DER.sequence(
        DER.sequence(DER.object("2a8648ce3d0201"), DER.object("2a8648ce3d030107")), DER.bits([4] + key.bytes))
    }
  }

  /// An RSA key of so many bits whose private half nobody has.
  package static func rsaKeyInfo(bits: Int) -> [UInt8] {
    let modulus = [0, 0x80] + [UInt8](repeating: 0xa5, count: bits / 8 - 2) + [0x01]
    return DER.sequence(
      DER.sequence(DER.object("2a864886f70d010101"), [0x05, 0x00]),
      DER.bits(DER.sequence(DER.integer(modulus), DER.integer([1, 0, 1]))))
  }

  /// The certificate, signed by an Ed25519 key.
  package func signed(by key: OpenSSLSigningKey) throws -> Certificate {
    let bytes = try der(signedBy: key)
    return try Certificate(der: bytes.span)
  }

  package func der(signedBy key: OpenSSLSigningKey) throws -> [UInt8] {
    var extensions: [[UInt8]] = []
    if let authority { extensions.append(DER.ext("551d13", critical: true, authority)) }
    if let keyUsage { extensions.append(DER.ext("551d0f", critical: true, keyUsage)) }
    if let uses { extensions.append(DER.ext("551d25", DER.sequence(uses.flatMap(DER.object)))) }
    if !alternativeNames.isEmpty {
      extensions.append(DER.ext("551d11", DER.sequence(alternativeNames.flatMap(\.self))))
    }
    if let subjectKey { extensions.append(DER.ext("551d0e", DER.octets(subjectKey))) }
    if let authorityKey { extensions.append(DER.ext("551d23", DER.sequence(DER.tagged(0x80, authorityKey)))) }
    extensions += more
    let content = DER.sequence(
      DER.tagged(0xa0, DER.integer([2])), DER.integer(serial), ForgedCertificate.ed25519, issuer,
      DER.sequence(DER.time(notBefore), DER.time(notAfter)), subject, keyInfo,
      DER.tagged(0xa3, DER.sequence(extensions.flatMap(\.self))))
    let signature = try key.sign(content.span)
    return DER.sequence(content, ForgedCertificate.ed25519, DER.bits(signature))
  }
}

/// The event "meetup": its issuer's key, in both forms that tests use, and its certificate.
package struct Meetup {
  package static let now: Int64 = 1_500_000_000

  package let signer: OpenSSLSigningKey
  package let authority: CertificateAuthority
  package let ada: PrivateKey

  package init() throws {
    signer = try OpenSSLSigningKey.generate(.ed25519)
    authority = try CertificateAuthority.make(
      event: "meetup", eventName: "Meetup", key: signer.certificateKey(), notBefore: 1_000_000_000,
      notAfter: 2_000_000_000)
    ada = try PrivateKey.generate(.ed25519)
  }

  /// An attendee's certificate, right in everything that the test does not change.
  package func forged(_ change: (inout ForgedCertificate) -> Void = { _ in }) throws -> ForgedCertificate {
    var forged = ForgedCertificate(keyInfo: ForgedCertificate.keyInfo(of: ada.publicKey))
    forged.authorityKey = try keyIdentifier(signer.publicKey)
    change(&forged)
    return forged
  }

  /// The same, signed by the event's issuer.
  package func certificate(_ change: (inout ForgedCertificate) -> Void = { _ in }) throws -> Certificate {
    try forged(change).signed(by: signer)
  }

  package func judge(
    _ chain: Certificate..., as role: CertificateRole = .attendee, revoked: Set<[UInt8]> = [],
    revokedIDs: Set<String> = [],
    now: Int64 = Meetup.now, issuers: [Certificate]? = nil
  ) -> String {
    judge(chain, as: role, revoked: revoked, revokedIDs: revokedIDs, now: now, issuers: issuers)
  }

  /// "accepted", or the code of the refusal.
  package func judge(
    _ chain: [Certificate], as role: CertificateRole, revoked: Set<[UInt8]> = [], revokedIDs: Set<String> = [],
    now: Int64 = Meetup.now, issuers: [Certificate]? = nil
  ) -> String {
    let policy = CertificatePolicy(
      issuers: issuers ?? [authority.certificate], event: "meetup", role: role, revokedSerials: revoked,
      revokedIDs: revokedIDs, now: { now })
    return switch policy.judge(chain) {
    case .success(let certificate): certificate == chain.first ? "accepted" : "another one was accepted"
    case .failure(let refusal): refusal.message.isEmpty ? "no message" : refusal.code.description
    }
  }
}

/// The identifier of a key, made from its definition: the first 20 bytes of the SHA-256 of its bits.
package func keyIdentifier(_ key: PublicKey) throws -> [UInt8] {
  let bits = key.algorithm == .es256 ? [4] + key.bytes : key.bytes
  let digest = OpenSSLCryptography().sha256(bits.span)
  return Array(digest.bytes.prefix(20))
}

extension OpenSSLSigningKey {
  /// The same key for certificates.
  package func certificateKey() throws -> PrivateKey {
    let lines = String(decoding: try pem().bytes, as: UTF8.self).split(separator: "\n").dropFirst().dropLast()
    let bytes = Array(Data(base64Encoded: lines.joined())!)
    return try PrivateKey(pkcs8: bytes.span)
  }
}
