import CheckInCore
import Foundation
import OpenSSLCryptography
import Testing

/// The part of a Wycheproof file that is used here.
private struct Wycheproof: Decodable {
  struct Group: Decodable {
    struct Key: Decodable {
      let pk: String
    }
    struct Case: Decodable {
      let tcId: Int
      let comment: String
      let msg: String
      let sig: String
      let result: String
    }

    let publicKey: Key
    let tests: [Case]
  }

  let numberOfTests: Int
  let testGroups: [Group]
}

private let file = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../../shared/vectors/wycheproof/ed25519_test.json")

@Test(
  "Every Wycheproof signature of Ed25519 is accepted or refused as its result says",
  .enabled(
    if: FileManager.default.fileExists(atPath: file.path), "the folder ../shared/vectors is not beside the package"))
func wycheproof() throws {
  let vectors = try JSONDecoder().decode(Wycheproof.self, from: Data(contentsOf: file))
  let cryptography = OpenSSLCryptography()
  var count = 0
  for group in vectors.testGroups {
    let raw = try #require(bytes(hexadecimal: group.publicKey.pk))
    let key = try #require(PublicKey(algorithm: .ed25519, bytes: raw))
    for test in group.tests {
      let signature = try #require(bytes(hexadecimal: test.sig))
      let message = try #require(bytes(hexadecimal: test.msg))
      let accepted = cryptography.verify(signature.span, of: message.span, by: key)
      #expect(accepted == (test.result == "valid"), "\(test.tcId): \(test.comment)")
      count += 1
    }
  }
  #expect(count == vectors.numberOfTests && count > 100)
}
