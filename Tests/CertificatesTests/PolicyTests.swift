import CertificateForgery
import Certificates
import CheckInCore
import OpenSSLCryptography
import Testing

@Suite struct PolicyTests {
  let meetup: Meetup

  init() throws {
    meetup = try Meetup()
  }

  @Test("A certificate that is right in everything is accepted (R23)")
  func accepted() throws {
    #expect(meetup.judge(try meetup.certificate()) == "accepted")
    #expect(meetup.judge(try meetup.certificate(), meetup.authority.certificate) == "accepted")
    let kiosk = try meetup.certificate {
      $0.uses = [ForgedCertificate.serverAuth]
      $0.alternativeNames = [ForgedCertificate.uri("checkin:meetup/kiosk/hall-a")]
    }
    #expect(meetup.judge(kiosk, as: .kiosk) == "accepted")
    #expect(kiosk.role == .kiosk && kiosk.event == "meetup" && kiosk.id == "hall-a" && kiosk.name == "Ada Lovelace")
  }

  @Test(
    "What the authority issues is accepted in its role and refused in every other (R23)",
    arguments: SignatureAlgorithm.allCases)
  func roles(algorithm: SignatureAlgorithm) throws {
    let key = try PrivateKey.generate(algorithm)
    for role in CertificateRole.allCases where role != .issuer {
      let certificate = try meetup.authority.issue(
        role, id: "x", name: "X", publicKey: key.publicKey, notBefore: 1_400_000_000, notAfter: 1_600_000_000)
      for wanted in CertificateRole.allCases {
        #expect(meetup.judge(certificate, as: wanted) == (wanted == role ? "accepted" : "wrong_role"))
      }
    }
  }

  @Test("A policy may accept several roles: each by its own key usage, and no other")
  func severalRoles() throws {
    let key = try PrivateKey.generate(.ed25519)
    let policy = CertificatePolicy(
      issuers: [meetup.authority.certificate], event: "meetup", role: .attendee, otherRoles: [.installation],
      now: { 1_500_000_000 })
    for role in CertificateRole.allCases where role != .issuer {
      let certificate = try meetup.authority.issue(
        role, id: "x", name: "X", publicKey: key.publicKey, notBefore: 1_400_000_000, notAfter: 1_600_000_000)
      switch policy.judge([certificate]) {
      case .success: #expect(role == .attendee || role == .installation)
      case .failure(let refusal):
        #expect(role == .kiosk || role == .enrollment)
        #expect(refusal.code == .wrongRole && refusal.message.contains("an attendee's or an installation's"))
      }
    }
    // An installation by name, and a server by its key usage.
    let forged = try meetup.certificate {
      $0.uses = [ForgedCertificate.serverAuth]
      $0.alternativeNames = [ForgedCertificate.uri("checkin:meetup/installation/x")]
    }
    if case .failure(let refusal) = policy.judge([forged]) {
      #expect(refusal.code == .notForThisUse)
    } else {
      Issue.record("accepted")
    }
  }

  @Test("Nothing presented is refused as that")
  func nothing() {
    #expect(meetup.judge([], as: .attendee) == "no_certificate")
  }

  @Test("A certificate that signed itself is refused, with and without the event's name as its issuer")
  func selfSigned() throws {
    let own = try OpenSSLSigningKey.generate(.ed25519)
    let forged = try meetup.forged {
      $0.keyInfo = ForgedCertificate.keyInfo(of: own.publicKey)
      $0.issuer = $0.subject
      $0.authorityKey = nil
    }
    #expect(meetup.judge(try forged.signed(by: own)) == "self_signed")
    let namesake = try meetup.forged {
      $0.keyInfo = ForgedCertificate.keyInfo(of: own.publicKey)
      $0.subject = $0.issuer
      $0.authorityKey = nil
    }
    #expect(["self_signed", "other_issuer"].contains(meetup.judge(try namesake.signed(by: own))))
  }

  @Test("Another issuer is refused, also with the same name and the same key identifier, and when it comes along")
  func otherIssuer() throws {
    let other = try Meetup()
    #expect(meetup.judge(try other.certificate()) == "other_issuer")
    #expect(meetup.judge(try other.certificate(), other.authority.certificate) == "other_issuer")
    // The genuine issuer's key identifier, and a signature of the other's: only the signature tells them apart.
    let posing = try meetup.forged().signed(by: other.signer)
    #expect(meetup.judge(posing) == "other_issuer")
    #expect(meetup.judge(posing, meetup.authority.certificate) == "other_issuer")
    #expect(meetup.judge(try other.certificate(), as: .attendee, issuers: []) == "other_issuer")
  }

  @Test("Of two issuers with one name, as after a change of keys, each one's certificates are accepted")
  func twoIssuers() throws {
    let other = try Meetup()
    let both = [other.authority.certificate, meetup.authority.certificate]
    #expect(meetup.judge(try meetup.certificate(), issuers: both) == "accepted")
    #expect(meetup.judge(try other.certificate(), issuers: both) == "accepted")
  }

  @Test("Before and after its time a certificate is refused, with five minutes of leeway at both ends (R21)")
  func times() throws {
    let certificate = try meetup.certificate {
      $0.notBefore = 1_499_000_000
      $0.notAfter = 1_501_000_000
    }
    #expect(meetup.judge(certificate, now: 1_498_999_699) == "not_yet_valid")
    #expect(meetup.judge(certificate, now: 1_498_999_700) == "accepted")
    #expect(meetup.judge(certificate, now: 1_501_000_300) == "accepted")
    #expect(meetup.judge(certificate, now: 1_501_000_301) == "expired")
    for now in [Int64.min, 0] { #expect(meetup.judge(certificate, now: now) == "not_yet_valid") }
    #expect(meetup.judge(certificate, now: .max) == "expired")
  }

  @Test("When the issuer's time is over, so is that of what it issued")
  func issuerTimes() throws {
    let certificate = try meetup.certificate {
      $0.notBefore = 900_000_000
      $0.notAfter = 2_100_000_000
    }
    #expect(meetup.judge(certificate, now: 2_000_000_301) == "expired")
    #expect(meetup.judge(certificate, now: 999_999_699) == "not_yet_valid")
  }

  @Test("A revoked serial is refused, however many zeros are in front of it")
  func revoked() throws {
    let certificate = try meetup.certificate()
    #expect(certificate.serial == [0x11, 0x22])
    #expect(meetup.judge(certificate, revoked: [[0x11, 0x22]]) == "revoked")
    #expect(meetup.judge(certificate, revoked: [[0, 0, 0x11, 0x22]]) == "revoked")
    #expect(meetup.judge(certificate, revoked: [[0x11], [0x22], [0x11, 0x22, 0x00]]) == "accepted")
    #expect(meetup.judge(certificate, revokedIDs: ["ada"]) == "revoked")
    #expect(meetup.judge(certificate, revokedIDs: ["bob", "Ada", ""]) == "accepted")
  }

  @Test("A CA flag where none may be is refused, whatever the key usage says")
  func authorityFlag() throws {
    for usage in [[0x03, 0x02, 0x07, 0x80], [0x03, 0x02, 0x02, 0x84]] as [[UInt8]] {
      let certificate = try meetup.certificate {
        $0.authority = [0x30, 0x03, 0x01, 0x01, 0xff]
        $0.keyUsage = usage
        $0.subjectKey = [1, 2, 3]
      }
      #expect(meetup.judge(certificate) == "authority_where_none_may_be")
    }
    #expect(meetup.judge(meetup.authority.certificate, as: .issuer) == "authority_where_none_may_be")
  }

  @Test("A wrong key usage or extended key usage is refused")
  func usage() throws {
    // keyEncipherment; digitalSignature with keyAgreement; none.
    for usage in [[0x03, 0x02, 0x05, 0x20], [0x03, 0x02, 0x03, 0x88], nil] as [[UInt8]?] {
      #expect(meetup.judge(try meetup.certificate { $0.keyUsage = usage }) == "not_for_this_use")
    }
    let (server, client) = (ForgedCertificate.serverAuth, ForgedCertificate.clientAuth)
    // Server; both; codeSigning; any; none at all.
    for uses in [[server], [server, client], ["2b06010505070303"], ["551d2500"], [client, "551d2500"], nil] {
      #expect(meetup.judge(try meetup.certificate { $0.uses = uses }) == "not_for_this_use", "\(uses ?? [])")
    }
  }

  @Test("An attendee's certificate is none of a kiosk, nor the other way, whatever the usage says")
  func wrongRole() throws {
    #expect(meetup.judge(try meetup.certificate(), as: .kiosk) == "wrong_role")
    let certificate = try meetup.certificate { $0.uses = [ForgedCertificate.serverAuth] }
    #expect(meetup.judge(certificate, as: .kiosk) == "wrong_role")
    #expect(meetup.judge(try meetup.certificate { $0.alternativeNames = [] }) == "wrong_role")
    let named = try meetup.certificate { $0.alternativeNames = [DER.tagged(0x82, Array("example.org".utf8))] }
    #expect(meetup.judge(named) == "wrong_role")
  }

  @Test("A certificate of another event is refused, also from the same issuer")
  func wrongEvent() throws {
    let other = try meetup.certificate { $0.alternativeNames = [ForgedCertificate.uri("checkin:concert/attendee/ada")] }
    #expect(meetup.judge(other) == "wrong_event")
    let concert = try CertificateAuthority.make(
      event: "concert", eventName: "Meetup", key: meetup.signer.certificateKey(), notBefore: 1_000_000_000,
      notAfter: 2_000_000_000)
    #expect(meetup.judge(try meetup.certificate(), issuers: [concert.certificate]) == "wrong_event")
  }

  @Test("RSA of any size, and curves that are not used here, are refused")
  func weakKey() throws {
    for bits in [1024, 2048, 4096] {
      #expect(
        meetup.judge(try meetup.certificate { $0.keyInfo = ForgedCertificate.rsaKeyInfo(bits: bits) }) == "weak_key")
    }
    // Ed448.
    let ed448 = DER.sequence(DER.sequence(DER.object("2b6571")), DER.bits([UInt8](repeating: 7, count: 57)))
    let certificate = try meetup.certificate { $0.keyInfo = ed448 }
    #expect(certificate.publicKey == nil)
    #expect(meetup.judge(certificate) == "weak_key")
  }

  @Test("Intermediates are refused, and so are long chains; a certificate that is no authority's issues nothing")
  func chainTooLong() throws {
    let middle = try OpenSSLSigningKey.generate(.ed25519)
    let identifier = try keyIdentifier(middle.publicKey)
    for authority in [[0x30, 0x03, 0x01, 0x01, 0xff], [0x30, 0x00]] as [[UInt8]] {
      let intermediate = try meetup.certificate {
        $0.subject = DER.name("Middle")
        $0.keyInfo = ForgedCertificate.keyInfo(of: middle.publicKey)
        $0.authority = authority
        $0.keyUsage = authority.count > 2 ? [0x03, 0x02, 0x02, 0x04] : [0x03, 0x02, 0x07, 0x80]
        $0.subjectKey = identifier
        $0.uses = nil
      }
      let leaf = try meetup.forged {
        $0.issuer = DER.name("Middle")
        $0.authorityKey = identifier
      }.signed(by: middle)
      let verdict = authority.count > 2 ? "chain_too_long" : "other_issuer"
      #expect(meetup.judge(leaf, intermediate) == verdict)
      #expect(meetup.judge(leaf, intermediate, meetup.authority.certificate) == verdict)
      #expect(meetup.judge(leaf) == "other_issuer")
    }
    let certificate = try meetup.certificate()
    let four = Array(repeating: certificate, count: CertificatePolicy.mostCertificates)
    #expect(meetup.judge(four, as: .attendee) == "accepted")
    #expect(meetup.judge(four + [certificate], as: .attendee) == "chain_too_long")
  }

  @Test("Intermediates are refused also where the issuer's own certificate would allow them")
  func intermediateOfGenerousIssuer() throws {
    let ca: [UInt8] = [0x30, 0x03, 0x01, 0x01, 0xff]
    let middle = try OpenSSLSigningKey.generate(.ed25519)
    let (issuerKey, middleKey) = (try keyIdentifier(meetup.signer.publicKey), try keyIdentifier(middle.publicKey))
    func authority(_ name: String, _ key: OpenSSLSigningKey, _ identifier: [UInt8]) throws -> Certificate {
      try meetup.certificate {
        $0.subject = DER.name(name)
        $0.keyInfo = ForgedCertificate.keyInfo(of: key.publicKey)
        $0.authority = ca
        $0.keyUsage = [0x03, 0x02, 0x02, 0x04]
        $0.subjectKey = identifier
        $0.uses = nil
        $0.alternativeNames = []
      }
    }
    let generous = try authority("Meetup", meetup.signer, issuerKey)
    let intermediate = try authority("Middle", middle, middleKey)
    let leaf = try meetup.forged {
      $0.issuer = DER.name("Middle")
      $0.authorityKey = middleKey
    }.signed(by: middle)
    #expect(meetup.judge(leaf, intermediate, issuers: [generous]) == "chain_too_long")
    #expect(meetup.judge(try meetup.certificate(), issuers: [generous]) == "accepted")
    // An intermediate that is listed is an issuer like any other.
    #expect(meetup.judge(leaf, issuers: [intermediate]) == "accepted")
  }

  @Test(
    "A name with a NUL, a control character or bytes that are no text is refused, and shown without them",
    arguments: [
      DER.tagged(0x0c, Array("Ada\0Lovelace".utf8)), DER.tagged(0x13, Array("Ada\u{1b}[2J".utf8)),
      DER.tagged(0x0c, Array("Ada\u{202e}".utf8)),
      DER.tagged(0x1e, [0, 0x41, 0, 0, 0, 0x42]),
    ])
  func malformedName(value: [UInt8]) throws {
    let certificate = try meetup.certificate { $0.subject = DER.name(value) }
    #expect(meetup.judge(certificate) == "name_malformed")
    #expect(!certificate.name.utf8.contains { $0 < 0x20 } && certificate.name.contains("\u{fffd}"))
  }

  @Test(
    "An identity that is not exactly one is refused",
    arguments: [
      ["checkin:meetup/attendee/ada\0"], ["checkin:meetup/attendee"], ["checkin:meetup/attendee/ada/x"],
      ["checkin:meetup/attendee/"], ["checkin:/attendee/ada"], ["checkin:meetup/owner/ada"],
      ["checkin:meetup/attendee/%61da"], ["checkin:meetup/attendee/%c3%a4"], ["checkin:meetup/attendee/%C3"],
      ["checkin:meetup/attendee/%00"], ["checkin:meetup/attendee/%"], ["checkin:meetup/attendee/%4"],
      ["Checkin:meetup/attendee/ada"], ["checkin:meetup/Attendee/ada"],
      ["checkin:meetup/attendee/" + String(repeating: "a", count: 257)],
      ["checkin:meetup/attendee/ada", "checkin:meetup/kiosk/ada"],
      ["checkin:meetup/attendee/ada", "checkin:meetup/attendee/ada"], ["https://example.org/\0"],
    ])
  func malformedIdentity(uris: [String]) throws {
    let certificate = try meetup.certificate { $0.alternativeNames = uris.map(ForgedCertificate.uri) }
    #expect(meetup.judge(certificate) == "name_malformed")
    #expect(certificate.id == nil)
  }

  @Test("Other alternative names beside the identity do no harm, unless they hold a NUL")
  func otherNames() throws {
    let identity = ForgedCertificate.uri("checkin:meetup/attendee/ada")
    let others = [DER.tagged(0x82, Array("example.org".utf8)), ForgedCertificate.uri("https://example.org/")]
    #expect(meetup.judge(try meetup.certificate { $0.alternativeNames = others + [identity] }) == "accepted")
    let bad = DER.tagged(0x82, Array("example.org\0.evil.org".utf8))
    #expect(meetup.judge(try meetup.certificate { $0.alternativeNames = [bad, identity] }) == "name_malformed")
  }

  @Test("What does not follow the rules of X.509 is refused as damaged")
  func damaged() throws {
    // An unknown critical extension; one, known or unknown, that is there twice; no identifier of the issuer's key.
    let unknown = DER.ext("2a0304", [5, 0])
    #expect(meetup.judge(try meetup.certificate { $0.more = [unknown] }) == "accepted")
    #expect(meetup.judge(try meetup.certificate { $0.more = [unknown, unknown] }) == "damaged")
    #expect(
      meetup.judge(try meetup.certificate { $0.more = [DER.ext("2a0304", critical: true, [5, 0])] }) == "damaged")
    #expect(
      meetup.judge(try meetup.certificate { $0.more = [DER.ext("551d0f", critical: true, [3, 2, 7, 0x80])] })
        == "damaged")
    #expect(meetup.judge(try meetup.certificate { $0.authorityKey = nil }) == "damaged")
  }

  @Test("Each changed bit of a genuine certificate is refused")
  func changedBits() throws {
    let genuine = try meetup.certificate().der
    var read = 0
    for index in genuine.indices {
      for bit in [0, 3, 7] {
        var changed = genuine
        changed[index] ^= 1 << bit
        guard let certificate = try? Certificate(der: changed.span) else { continue }
        read += 1
        #expect(meetup.judge(certificate) != "accepted", "bit \(bit) of byte \(index)")
      }
    }
    #expect(read > 100)
  }
}
