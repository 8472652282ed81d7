import CertificateForgery
import Certificates
import CheckInCore
import Foundation
import OpenSSLCryptography
import Testing

@Suite struct CertificateTests {
  @Test("A private key survives being written and read", arguments: SignatureAlgorithm.allCases)
  func privateKey(algorithm: SignatureAlgorithm) throws {
    let key = try PrivateKey.generate(algorithm)
    #expect(key.publicKey.algorithm == algorithm)
    let bytes = try key.pkcs8().bytes
    #expect(try PrivateKey(pkcs8: bytes.span).publicKey == key.publicKey)
    #expect(try OpenSSLSigningKey.generate(algorithm).certificateKey().publicKey.algorithm == algorithm)
    for count in 0..<bytes.count {
      #expect(throws: CertificateError.self) { try PrivateKey(pkcs8: bytes.span.extracting(first: count)) }
    }
    #expect(code { () throws(CertificateError) in _ = try PrivateKey(pkcs8: (bytes + [0]).span) } == "damaged")
  }

  @Test("Private keys of other kinds, and halves that do not match, are refused")
  func otherPrivateKeys() throws {
    // Ed448 (RFC 8410): a private key of 57 bytes.
    let ed448 = DER.sequence(
      DER.integer([0]), DER.sequence(DER.object("2b6571")), DER.octets(DER.octets([UInt8](repeating: 9, count: 57))))
    #expect(code { () throws(CertificateError) in _ = try PrivateKey(pkcs8: ed448.span) } == "unsupported_key")
    var bytes = try PrivateKey.generate(.es256).pkcs8().bytes
    bytes[bytes.count - 80] ^= 1
    #expect(code { () throws(CertificateError) in _ = try PrivateKey(pkcs8: bytes.span) } == "invalid_key")
    #expect(code { () throws(CertificateError) in _ = try PrivateKey(pkcs8: [1, 2, 3].span) } == "damaged")
  }

  @Test(
    "What an authority issued says what was asked for", arguments: SignatureAlgorithm.allCases,
    SignatureAlgorithm.allCases)
  func contents(issuerAlgorithm: SignatureAlgorithm, holderAlgorithm: SignatureAlgorithm) throws {
    let key = try PrivateKey.generate(issuerAlgorithm)
    let authority = try CertificateAuthority.make(
      event: "swift meetup/2026 ☀", eventName: "Swift Meetup ☀", key: key, notBefore: 100, notAfter: 253_402_300_799)
    #expect(authority.certificate.isAuthority && authority.certificate.role == .issuer)
    #expect(authority.certificate.event == "swift meetup/2026 ☀" && authority.certificate.name == "Swift Meetup ☀")
    #expect(authority.certificate.notBefore == 100 && authority.certificate.notAfter == 253_402_300_799)
    #expect(authority.certificate.publicKey == key.publicKey && authority.certificate.serial.count == 16)
    let holder = try PrivateKey.generate(holderAlgorithm)
    let certificate = try authority.issue(
      .attendee, id: "ada/“1”%", name: "Ada Lovelace", publicKey: holder.publicKey, notBefore: 200,
      notAfter: 4_000_000_000, serial: [0, 0xff, 1])
    #expect(certificate.id == "ada/“1”%" && certificate.role == .attendee && certificate.event == "swift meetup/2026 ☀")
    #expect(certificate.name == "Ada Lovelace" && certificate.serial == [0xff, 1] && !certificate.isAuthority)
    #expect(certificate.notBefore == 200 && certificate.notAfter == 4_000_000_000)
    #expect(certificate.publicKey == holder.publicKey)
    let der = certificate.der
    let again = try Certificate(der: der.span)
    #expect(again == certificate && again.hashValue == certificate.hashValue && again != authority.certificate)
    let digest = OpenSSLCryptography().sha256(der.span)
    #expect(certificate.fingerprint == digest)
  }

  @Test("Bytes that are not one whole certificate are refused, cut anywhere or with a byte more")
  func partial() throws {
    let der = try Meetup().certificate().der
    for count in 0..<der.count {
      #expect(
        code { () throws(CertificateError) in _ = try Certificate(der: der.span.extracting(first: count)) } == "damaged"
      )
    }
    #expect(code { () throws(CertificateError) in _ = try Certificate(der: (der + [0]).span) } == "damaged")
    let large = [UInt8](repeating: 0x30, count: 70_000)
    #expect(code { () throws(CertificateError) in _ = try Certificate(der: large.span) } == "damaged")
  }

  @Test("A certificate in BER that is not DER is refused, also where it has as many bytes")
  func notDER() throws {
    let meetup = try Meetup()
    // The signature, at the end, as a bit string that leaves three bits of its last byte unused, and sets them.
    var der = try meetup.certificate().der
    let unused = der.count - 65
    #expect(der[unused - 1] == 65 && der[unused] == 0)
    der[unused] = 3
    der[der.count - 1] |= 7
    #expect(code { () throws(CertificateError) in _ = try Certificate(der: der.span) } == "damaged")
    // A length in more bytes than it needs, which the bytes' number grows with.
    var long = try meetup.certificate().der
    let size = Int(long[2]) << 8 | Int(long[3])
    #expect(long[1] == 0x82 && size == long.count - 4)
    long.replaceSubrange(1...3, with: [0x83, 0, UInt8(size >> 8), UInt8(size & 0xff)])
    #expect(code { () throws(CertificateError) in _ = try Certificate(der: long.span) } == "damaged")
  }

  @Test("A name that is not the text that it says it is makes no certificate")
  func textOfName() throws {
    let meetup = try Meetup()
    let der = try meetup.forged { $0.subject = DER.name(DER.tagged(0x0c, [0xff, 0xfe])) }.der(signedBy: meetup.signer)
    #expect(code { () throws(CertificateError) in _ = try Certificate(der: der.span) } == "damaged")
  }

  @Test("A serial that is zero or negative is refused")
  func serials() throws {
    let meetup = try Meetup()
    for serial in [[0], [0x80]] as [[UInt8]] {
      let der = try meetup.forged { $0.serial = serial }.der(signedBy: meetup.signer)
      #expect(code { () throws(CertificateError) in _ = try Certificate(der: der.span) } == "damaged")
    }
  }

  @Test("An authority's key and certificate belong together, and the certificate is an issuer's")
  func authorityParts() throws {
    let meetup = try Meetup()
    let key = try meetup.signer.certificateKey()
    #expect(try CertificateAuthority(key: key, certificate: meetup.authority.certificate).certificate.isAuthority)
    #expect(
      code { () throws(CertificateError) in
        _ = try CertificateAuthority(key: meetup.ada, certificate: meetup.authority.certificate)
      } == "mismatch")
    let leaf = try meetup.certificate()
    #expect(
      code { () throws(CertificateError) in _ = try CertificateAuthority(key: meetup.ada, certificate: leaf) }
        == "not_an_authority")
  }

  @Test(
    "What cannot stand in a certificate is refused",
    arguments: [
      ("", "Ada", 1_100_000_000, 1_200_000_000, [1]), ("a\0", "Ada", 1_100_000_000, 1_200_000_000, [1]),
      (String(repeating: "a", count: 257), "Ada", 1_100_000_000, 1_200_000_000, [1]),
      ("ada", "", 1_100_000_000, 1_200_000_000, [1]), ("ada", "A\nB", 1_100_000_000, 1_200_000_000, [1]),
      ("ada", "Ada", 1_200_000_000, 1_100_000_000, [1]), ("ada", "Ada", 999_999_999, 1_200_000_000, [1]),
      ("ada", "Ada", 1_100_000_000, 2_000_000_001, [1]), ("ada", "Ada", 1_100_000_000, 1_200_000_000, []),
      ("ada", "Ada", 1_100_000_000, 1_200_000_000, [0, 0]),
      ("ada", "Ada", 1_100_000_000, 1_200_000_000, [UInt8](repeating: 0xff, count: 20)),
      ("ada", "Ada", Int64.min, Int64.max, [1]),
    ] as [(String, String, Int64, Int64, [UInt8])])
  func requests(id: String, name: String, notBefore: Int64, notAfter: Int64, serial: [UInt8]) throws {
    let meetup = try Meetup()
    #expect(
      code { () throws(CertificateError) in
        _ = try meetup.authority.issue(
          .attendee, id: id, name: name, publicKey: meetup.ada.publicKey, notBefore: notBefore, notAfter: notAfter,
          serial: serial)
      } == "invalid_request")
  }

  @Test("Issuers are not issued, and a long name is cut to 64 characters")
  func issuing() throws {
    let meetup = try Meetup()
    #expect(
      code { () throws(CertificateError) in
        _ = try meetup.authority.issue(
          .issuer, id: "x", name: "X", publicKey: meetup.ada.publicKey, notBefore: 1_100_000_000,
          notAfter: 1_200_000_000)
      } == "invalid_request")
    let certificate = try meetup.authority.issue(
      .kiosk, id: String(repeating: "ä", count: 128), name: String(repeating: "ä", count: 100),
      publicKey: meetup.ada.publicKey, notBefore: 1_100_000_000, notAfter: 1_600_000_000)
    #expect(certificate.name == String(repeating: "ä", count: 64))
    #expect(certificate.id == String(repeating: "ä", count: 128))
    #expect(meetup.judge(certificate, as: .kiosk) == "accepted")
  }

  @Test("A public key that is no point on its curve gets no certificate")
  func noPoint() throws {
    let meetup = try Meetup()
    let nowhere = try #require(PublicKey(algorithm: .es256, bytes: [UInt8](repeating: 5, count: 64)))
    #expect(
      code { () throws(CertificateError) in
        _ = try meetup.authority.issue(
          .kiosk, id: "x", name: "X", publicKey: nowhere, notBefore: 1_100_000_000, notAfter: 1_200_000_000)
      } == "library")
  }
}

/// The code of the error that `body` throws; nil when it throws none.
func code(_ body: () throws(CertificateError) -> Void) -> String? {
  do throws(CertificateError) {
    try body()
    return nil
  } catch {
    return error.message.isEmpty || !error.description.contains(error.code.description)
      ? "no message" : error.code.description
  }
}
