internal import CertificateForgery
internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import Foundation
internal import OpenSSLCryptography
internal import SocketIO
internal import Synchronization
internal import TCPTransport
internal import TLSTransport
internal import TestSupport
internal import Testing

/// The program `openssl` shows certificates that no issuer should have written.
@Suite("An outside TLS client with a forged certificate", .serialized, .timeLimit(.minutes(2)))
struct ForgedClientTests {
  private static let program = "/usr/bin/openssl"

  enum Forgery: String, CaseIterable, CustomTestStringConvertible {
    case none, selfSigned, namesake, revoked, authority, wrongUse, wrongExtendedUse, chain, nameWithNUL, weakKey

    var testDescription: String { rawValue }

    /// What the kiosk says of it; nil: nothing is wrong.
    var refusal: CertificateRefusal.Code? {
      switch self {
      case .none: nil
      case .selfSigned: .selfSigned
      case .namesake: .otherIssuer
      case .revoked: .revoked
      case .authority: .authorityWhereNoneMayBe
      case .wrongUse, .wrongExtendedUse: .notForThisUse
      case .chain: .chainTooLong
      case .nameWithNUL: .nameMalformed
      case .weakKey: .weakKey
      }
    }

    /// The alert that the client gets (RFC 8446 §6.2).
    var alert: Int {
      switch self {
      case .revoked: 44
      case .selfSigned, .namesake, .chain: 48
      default: 43
      }
    }
  }

  @Test(
    "R23: a client whose certificate is forged is turned away for what is wrong with it", arguments: Forgery.allCases)
  func turnsAway(forgery: Forgery) async throws {
    let meetup = try Meetup()
    let kiosk = try PrivateKey.generate(.ed25519)
    let certificate = try meetup.authority.issue(
      .kiosk, id: "hall-a", name: "Hall A", publicKey: kiosk.publicKey, notBefore: TLSHall.now - 60,
      notAfter: TLSHall.now + 600)
    let policy = CertificatePolicy(
      issuers: [meetup.authority.certificate], event: "meetup", role: .attendee, revokedSerials: [[0x33]],
      now: { TLSHall.now })
    let refusals = Mutex<[CertificateRefusal.Code]>([])
    let loops = try EventLoopGroup(count: 1)
    let tls = try TLSTransport(
      dialling: nil, listening: TLSCredentials(key: kiosk, chain: [certificate], policy: policy)
    ) { refusal in
      if let cause = refusal.error.cause as? CertificateRefusal { refusals.withLock { $0.append(cause.code) } }
    }
    .wrap(TCPTransport(loops: loops))
    let listener = try await tls.listen(on: Endpoint("tls+tcp://127.0.0.1:0"))
    let serving = Task {
      while let connection = try? await listener.accept() {
        try await connection.send(Array("served\n".utf8), before: nil)
        await connection.close()
      }
    }
    try await ProcessFolder.with { folder in
      let files = try await files(forgery, meetup, in: folder)
      let run = try await ChildProcess.finish(
        Self.program,
        ["s_client", "-connect", listener.endpoint.address, "-ign_eof", "-alpn", "checkin/1", "-tls1_3"]
          + ["-cipher", "DEFAULT:@SECLEVEL=0"] + files,
        atMost: .seconds(30))
      let said = run.output + run.errors
      if let code = forgery.refusal {
        #expect(said.contains("alert number \(forgery.alert)\n"), "\(said)")
        #expect(!said.contains("served"))
        #expect(refusals.withLock { $0 } == [code])
      } else {
        #expect(said.contains("served\n"), "\(said)")
        #expect(refusals.withLock { $0 }.isEmpty)
      }
    }
    serving.cancel()
    await listener.close()
    await loops.shutdown()
  }

  /// The files of the forged certificate and of its key, and the arguments that name them.
  private func files(_ forgery: Forgery, _ meetup: Meetup, in folder: ProcessFolder) async throws -> [String] {
    if forgery == .weakKey { return try await weakKey(meetup, in: folder) }
    let middle = try OpenSSLSigningKey.generate(.ed25519)
    let middleKey = try keyIdentifier(middle.publicKey)
    // Those that sign for themselves need the key in the form that signs.
    let own = try OpenSSLSigningKey.generate(.ed25519)
    let ownInfo = ForgedCertificate.keyInfo(of: own.publicKey)
    let forged = try meetup.forged { forged in
      forged.keyInfo = ownInfo
      switch forgery {
      case .none, .weakKey, .namesake: break
      case .selfSigned:
        forged.issuer = forged.subject
        forged.authorityKey = nil
      case .revoked: forged.serial = [0x33]
      case .authority:
        forged.authority = [0x30, 0x03, 0x01, 0x01, 0xff]
        forged.subjectKey = [1, 2, 3]
      case .wrongUse: forged.keyUsage = [0x03, 0x02, 0x05, 0x20]
      case .wrongExtendedUse: forged.uses = [ForgedCertificate.serverAuth]
      case .chain:
        forged.issuer = DER.name("Middle")
        forged.authorityKey = middleKey
      case .nameWithNUL: forged.subject = DER.name("Ada\u{0}Lovelace")
      }
    }
    let signer: OpenSSLSigningKey =
      switch forgery {
      case .selfSigned: own
      case .namesake: try Meetup().signer
      case .chain: middle
      default: meetup.signer
      }
    var arguments = ["-cert", folder.path("c.der"), "-certform", "DER"]
    try Data(forged.der(signedBy: signer)).write(to: URL(filePath: folder.path("c.der")))
    try Data(own.certificateKey().pkcs8().bytes).write(to: URL(filePath: folder.path("k.der")))
    arguments += ["-key", folder.path("k.der"), "-keyform", "DER"]
    if forgery == .chain {
      let between = try meetup.forged {
        $0.subject = DER.name("Middle")
        $0.keyInfo = ForgedCertificate.keyInfo(of: middle.publicKey)
        $0.authority = [0x30, 0x03, 0x01, 0x01, 0xff]
        $0.keyUsage = [0x03, 0x02, 0x02, 0x04]
        $0.subjectKey = middleKey
        $0.uses = nil
        $0.alternativeNames = []
      }
      let pem = try pem("CERTIFICATE", between.der(signedBy: meetup.signer))
      arguments += ["-cert_chain", try folder.write(pem, to: "chain.pem")]
    }
    return arguments
  }

  /// RSA of 1024 bits, signed by the issuer through the program itself.
  private func weakKey(_ meetup: Meetup, in folder: ProcessFolder) async throws -> [String] {
    let key = try meetup.signer.certificateKey().pkcs8().bytes
    let issuer = try folder.write(pem("CERTIFICATE", meetup.authority.certificate.der), to: "issuer.pem")
    let issuerKey = try folder.write(pem("PRIVATE KEY", key), to: "issuer.key")
    let extensions = try folder.write(
      """
      basicConstraints=critical,CA:FALSE
      keyUsage=critical,digitalSignature
      extendedKeyUsage=clientAuth
      subjectAltName=URI:checkin:meetup/attendee/ada
      """, to: "extensions")
    for words in [
      ["req", "-new", "-newkey", "rsa:1024", "-nodes", "-subj", "/CN=Ada", "-keyout", folder.path("k.pem")]
        + ["-out", folder.path("r.pem")],
      ["x509", "-req", "-in", folder.path("r.pem"), "-CA", issuer, "-CAkey", issuerKey, "-days", "30"]
        + ["-extfile", extensions, "-out", folder.path("c.pem")],
    ] {
      let made = try await ChildProcess.finish(Self.program, words)
      try #require(made.exit == .status(0), "\(made.errors)")
    }
    return ["-cert", folder.path("c.pem"), "-key", folder.path("k.pem")]
  }
}
