import Certificates
import CheckInCore
import Foundation
import PKCS12Container
import TestSupport
import Testing

/// The event "meetup", its issuer, and containers for it.
struct Meetup {
  static let password = SecretBytes(Array("correct horse ☀".utf8))
  /// Few iterations: these containers protect nothing.
  static let iterations: Int32 = 2000

  let authority: CertificateAuthority

  init() throws {
    authority = try CertificateAuthority.make(
      event: "meetup", eventName: "Meetup", key: PrivateKey.generate(.es256), notBefore: 1_000_000_000,
      notAfter: 2_000_000_000)
  }

  func container(_ algorithm: SignatureAlgorithm = .ed25519) throws -> Container {
    let key = try PrivateKey.generate(algorithm)
    let certificate = try authority.issue(
      .attendee, id: "ada", name: "Ada Lovelace", publicKey: key.publicKey, notBefore: 1_700_000_000,
      notAfter: 1_900_000_000)
    return Container(key: key, certificate: certificate, chain: [authority.certificate])
  }

  func file(_ container: Container) throws -> [UInt8] {
    try PKCS12Container.write(container, password: Meetup.password, iterations: Meetup.iterations)
  }
}

/// The program `openssl`, which is not ours, at work in a folder.
struct OpenSSLProgram {
  let folder: ProcessFolder

  /// Runs it. A word that begins with `@` is a file in the folder.
  @discardableResult
  func run(_ arguments: String, succeeds: Bool = true) async throws -> FinishedProcess {
    let words = arguments.split(separator: " ").map { word in
      word.hasPrefix("@") ? folder.path(String(word.dropFirst())) : String(word)
    }
    let result = try await ChildProcess.finish("/usr/bin/openssl", words)
    try #require((result.exit == .status(0)) == succeeds, "openssl \(arguments): \(result.errors)")
    return result
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(filePath: folder.path(name)))
  }

  func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: folder.path(name))))
  }

  func write(_ container: Container, key: String, certificate: String) throws {
    try folder.write(pem("PRIVATE KEY", container.key.pkcs8().bytes), to: key)
    try folder.write(pem("CERTIFICATE", container.certificate.der), to: certificate)
  }
}
