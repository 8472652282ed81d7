internal import CPeers
internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import Scene
internal import TLSTransport

/// An issuer with one kiosk and one attendee, for TLS.
struct TLSIdentities: Sendable {
  let authority: Certificate
  let kiosk: (key: PrivateKey, certificate: Certificate)
  let attendee: (key: PrivateKey, certificate: Certificate)

  init() throws {
    let now = Int64(time(nil))
    let authority = try CertificateAuthority.make(
      event: "summer", eventName: "Summer Meeting", key: .generate(.ed25519), notBefore: now - 60,
      notAfter: now + 86_400)
    func identity(_ role: CertificateRole, _ id: String) throws -> (PrivateKey, Certificate) {
      let key = try PrivateKey.generate(.ed25519)
      return (
        key,
        try authority.issue(
          role, id: id, name: id, publicKey: key.publicKey, notBefore: now - 60, notAfter: now + 86_400)
      )
    }
    self.authority = authority.certificate
    kiosk = try identity(.kiosk, "hall-a")
    attendee = try identity(.attendee, "ada")
  }

  /// TLS with both sides.
  func wrapper() throws -> TLSTransport {
    try TLSTransport(
      dialling: Self.credentials(attendee, of: authority, believing: .kiosk),
      listening: Self.credentials(kiosk, of: authority, believing: .attendee))
  }

  /// The attendee's part, for another process: a line of text.
  var attendeeText: String {
    get throws {
      [authority.der, attendee.certificate.der, try attendee.key.pkcs8().bytes].map { bytes in
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      }.joined(separator: " ")
    }
  }

  /// TLS with the side that dials, from such a line.
  static func attendee(from text: String) throws -> TLSTransport {
    let parts = text.split(separator: " ").map { digits in
      stride(from: 0, to: digits.utf8.count - 1, by: 2).compactMap { offset in
        let start = digits.utf8.index(digits.startIndex, offsetBy: offset)
        return UInt8(digits[start..<digits.utf8.index(start, offsetBy: 2)], radix: 16)
      }
    }
    guard parts.count == 3 else { throw BenchmarkError("The identity of an attendee did not come.") }
    let (authorityDER, attendeeDER, keyDER) = (parts[0], parts[1], parts[2])
    let authority = try Certificate(der: authorityDER.span)
    let certificate = try Certificate(der: attendeeDER.span)
    let key = try PrivateKey(pkcs8: keyDER.span)
    return try TLSTransport(
      dialling: credentials((key, certificate), of: authority, believing: .kiosk), listening: nil)
  }

  private static func credentials(
    _ identity: (key: PrivateKey, certificate: Certificate), of authority: Certificate,
    believing role: CertificateRole
  ) -> TLSCredentials {
    TLSCredentials(
      key: identity.key, chain: [identity.certificate],
      policy: CertificatePolicy(issuers: [authority], event: "summer", role: role, now: { Int64(time(nil)) }))
  }

  /// Calls a peer in C with the same identities.
  func call(_ body: (UnsafePointer<tls_identity>, UnsafePointer<tls_identity>, [UInt8]) -> Double) throws -> Double {
    let (attendeeKey, kioskKey) = (try attendee.key.pkcs8().bytes, try kiosk.key.pkcs8().bytes)
    let (attendeeDER, kioskDER) = (attendee.certificate.der, kiosk.certificate.der)
    // Unsafe: the arrays live until the call is over.
    return try Workload.judged(
      unsafe attendeeKey.withUnsafeBufferPointer { attendeeKey in
        unsafe kioskKey.withUnsafeBufferPointer { kioskKey in
          unsafe attendeeDER.withUnsafeBufferPointer { attendeeDER in
            unsafe kioskDER.withUnsafeBufferPointer { kioskDER in
              var client = unsafe tls_identity(
                key: attendeeKey.baseAddress, key_size: attendeeKey.count, certificate: attendeeDER.baseAddress,
                certificate_size: attendeeDER.count)
              var server = unsafe tls_identity(
                key: kioskKey.baseAddress, key_size: kioskKey.count, certificate: kioskDER.baseAddress,
                certificate_size: kioskDER.count)
              return unsafe body(&client, &server, authority.der)
            }
          }
        }
      })
  }
}
