import CertificateForgery
import Certificates
import CheckInCore
import Foundation
import OpenSSLCryptography
import TestSupport
import Testing

/// The program `openssl` is not ours, so it says whether what we write is X.509.
@Suite(.timeLimit(.minutes(2))) struct OpenSSLProgramTests {
  let openssl = "/usr/bin/openssl"

  @Test("The openssl program verifies what an authority issued, strictly", arguments: SignatureAlgorithm.allCases)
  func verifies(algorithm: SignatureAlgorithm) async throws {
    let key = try PrivateKey.generate(algorithm)
    let authority = try CertificateAuthority.make(
      event: "meetup", eventName: "Meetup", key: key, notBefore: 1_000_000_000, notAfter: 2_000_000_000)
    try await ProcessFolder.with { folder in
      try folder.write(pem("CERTIFICATE", authority.certificate.der), to: "issuer.pem")
      for (role, purpose, other) in [
        (CertificateRole.kiosk, "sslserver", "sslclient"), (.attendee, "sslclient", "sslserver"),
      ] {
        let holder = try PrivateKey.generate(algorithm)
        let certificate = try authority.issue(
          role, id: "käthe", name: "Käthe", publicKey: holder.publicKey, notBefore: 1_100_000_000,
          notAfter: 1_900_000_000)
        try folder.write(pem("CERTIFICATE", certificate.der), to: "leaf.pem")
        for (purpose, verdict) in [(purpose, true), (other, false)] {
          let result = try await ChildProcess.finish(
            openssl,
            [
              "verify", "-x509_strict", "-attime", "1500000000", "-purpose", purpose, "-CAfile",
              folder.path("issuer.pem"), folder.path("leaf.pem"),
            ])
          #expect((result.exit == .status(0)) == verdict, "\(role) as \(purpose): \(result.errors)")
        }
        let text = try await ChildProcess.finish(
          openssl, ["x509", "-in", folder.path("leaf.pem"), "-noout", "-text", "-nameopt", "utf8"])
        for line in [
          "Issuer: CN=Meetup", "Subject: CN=Käthe", "URI:checkin:meetup/\(role.rawValue)/k%C3%A4the", "CA:FALSE",
          "X509v3 Basic Constraints: critical", "X509v3 Key Usage: critical", "Digital Signature",
        ] {
          #expect(text.output.contains(line), "\(line) in \(text.output)")
        }
      }
    }
  }

  @Test("A certificate that the openssl program issued by the rules of Protocol.md is accepted")
  func foreign() async throws {
    try await ProcessFolder.with { folder in
      try folder.write(
        """
        [issuer]
        basicConstraints = critical, CA:TRUE, pathlen:0
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash
        authorityKeyIdentifier = keyid
        [attendee]
        basicConstraints = critical, CA:FALSE
        keyUsage = critical, digitalSignature
        extendedKeyUsage = clientAuth
        subjectAltName = URI:checkin:meetup/attendee/ada
        subjectKeyIdentifier = hash
        authorityKeyIdentifier = keyid
        """, to: "extensions")
      func run(_ arguments: String) async throws {
        let words = arguments.split(separator: " ").map {
          $0.hasPrefix("@") ? folder.path(String($0.dropFirst())) : String($0)
        }
        let result = try await ChildProcess.finish(openssl, words)
        #expect(result.exit == .status(0), "\(arguments): \(result.errors)")
      }
      for name in ["issuer", "ada"] {
        try await run("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out @\(name).key")
        try await run("req -new -key @\(name).key -subj /CN=\(name) -out @\(name).csr")
      }
      try await run(
        "x509 -req -in @issuer.csr -signkey @issuer.key -extfile @extensions -extensions issuer -days 9 -outform DER -out @issuer.der"
      )
      try await run(
        "x509 -req -in @ada.csr -CA @issuer.der -CAform DER -CAkey @issuer.key -extfile @extensions -extensions attendee -days 9 -set_serial 77 -outform DER -out @ada.der"
      )
      func read(_ name: String) throws -> Certificate {
        let bytes = Array(try Data(contentsOf: URL(filePath: folder.path(name))))
        return try Certificate(der: bytes.span)
      }
      let now = Int64(Date().timeIntervalSince1970)
      let policy = CertificatePolicy(issuers: [try read("issuer.der")], event: "meetup", role: .attendee, now: { now })
      let ada = try read("ada.der")
      #expect(try policy.judge([ada]).get() == ada)
      #expect(ada.name == "ada" && ada.serial == [77])
    }
  }
}
