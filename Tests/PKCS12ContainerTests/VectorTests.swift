import Certificates
import CheckInCore
import Foundation
import PKCS12Container
import Testing

/// One of the containers in `Tests/Vectors/pkcs12`, which other programs made.
struct ContainerVector: Sendable, CustomTestStringConvertible {
  let name: String
  let password: String?
  /// What comes of reading it without and with the flag for outdated ciphers: the certificate's name, or an error's code.
  let outcome: String
  let outdatedOutcome: String
  let chain: [String]

  init(_ name: String, _ password: String?, _ outcome: String, outdated: String? = nil, chain: [String] = []) {
    self.name = name
    self.password = password
    self.outcome = outcome
    outdatedOutcome = outdated ?? outcome
    self.chain = chain
  }

  var testDescription: String { "\(name) with \(password.map { "“\($0)”" } ?? "no password")" }

  static let holder = "cryptography CA"
  static let others = ["www.cryptography.io", "Let's Encrypt Authority X3"]

  static let all = [
    ContainerVector("cert-key-aes256cbc", "cryptography", holder),
    ContainerVector("cert-key-aes256cbc", "wrong", "wrong_password"),
    ContainerVector("cert-key-aes256cbc", nil, "wrong_password"),
    ContainerVector("cert-key-aes256cbc", "", "wrong_password"),
    ContainerVector("cert-key-aes256cbc", "cryptography\0", "wrong_password"),
    ContainerVector("cert-none-key-none", "cryptography", holder),
    ContainerVector("cert-none-key-none", nil, "wrong_password"),
    ContainerVector("cert-aes256cbc-no-key", "cryptography", "no_key"),
    ContainerVector("no-cert-key-aes256cbc", "cryptography", "no_certificate"),
    ContainerVector("cert-rc2-key-3des", "cryptography", "outdated_cipher", outdated: holder),
    ContainerVector("cert-rc2-key-3des", "wrong", "outdated_cipher", outdated: "wrong_password"),
    ContainerVector("no-password", nil, "outdated_cipher", outdated: holder),
    ContainerVector("no-password", "", "outdated_cipher", outdated: holder),
    ContainerVector("name-unicode-pwd", "password", "outdated_cipher", outdated: holder, chain: others),
    ContainerVector("name-all-no-pwd", nil, holder, chain: others),
    ContainerVector("java-truststore", nil, "no_key"),
  ]
}

@Suite struct VectorTests {
  /// In the year 2027.
  static let now: Int64 = 1_800_000_000

  @Test("Containers of other programs are read, or refused for what each is (R24)", arguments: ContainerVector.all)
  func vectors(vector: ContainerVector) throws {
    let file = try VectorFile.read(vector.name)
    for (allowed, wanted) in [(false, vector.outcome), (true, vector.outdatedOutcome)] {
      let password = vector.password.map { SecretBytes(Array($0.utf8)) }
      #expect(outcome(of: file, password, allowsOutdatedCipher: allowed) == wanted)
      guard wanted == ContainerVector.holder else { continue }
      let container = try PKCS12Container.read(
        file, password: password, now: VectorTests.now, allowsOutdatedCipher: allowed)
      #expect(container.certificate.serial == [0x03, 0x09] && container.certificate.isAuthority)
      #expect(container.key.publicKey == container.certificate.publicKey)
      #expect(container.chain.map(\.name) == vector.chain)
    }
  }

  @Test("Every file of the folder is among these")
  func complete() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: VectorFile.folder.path).filter {
      $0.hasSuffix(".p12")
    }
    #expect(Set(files) == Set(ContainerVector.all.map { "\($0.name).p12" }))
  }

  @Test("A file that ends too early is truncated, wherever it ends, and one that goes on is damaged (R24)")
  func truncated() throws {
    for name in Set(ContainerVector.all.map(\.name)) {
      let file = try VectorFile.read(name)
      for count in 0..<file.count {
        #expect(outcome(of: Array(file.prefix(count)), nil) == "truncated", "\(name) of \(count) bytes")
      }
      #expect(outcome(of: file + [0], nil) == "damaged")
    }
  }
}

extension VectorTests {
  @Test("A container in BER, whose values do not state their lengths, is read, and is truncated wherever it ends")
  func withoutLengths() throws {
    let file = try VectorFile.read("../pkcs12-fuzz/ed25519-ber")
    let password = SecretBytes(Array("cryptography".utf8))
    #expect(outcome(of: file, password) == "Ada")
    for count in 0..<file.count {
      #expect(outcome(of: Array(file.prefix(count)), password) == "truncated", "of \(count) bytes")
    }
    #expect(outcome(of: file + [0], password) == "damaged")
  }
}

enum VectorFile {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Vectors/pkcs12")

  static func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: "\(name).p12")))
  }
}

/// The name in the certificate of a container that could be read, or the code of the error.
func outcome(
  of file: [UInt8], _ password: SecretBytes?, now: Int64 = VectorTests.now, allowsOutdatedCipher: Bool = false
) -> String {
  do throws(ContainerError) {
    return try PKCS12Container.read(file, password: password, now: now, allowsOutdatedCipher: allowsOutdatedCipher)
      .certificate.name
  } catch {
    return error.message.isEmpty ? "no message" : error.code.description
  }
}
