import COpenSSL
import CheckInCore
import ContainerMutation
import Foundation
import PKCS12Container
import Testing

@Suite(.timeLimit(.minutes(2))) struct FuzzTests {
  @Test("No container crashes the reader, however it was changed (R24)")
  func mutations() throws {
    let vectors = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Vectors").path
    var mutation = try ContainerMutation(folders: ["\(vectors)/pkcs12", "\(vectors)/pkcs12-fuzz"], seed: 7)
    #expect(mutation.corpusSize > 15)
    let password = SecretBytes(Array(ContainerMutation.password.utf8))
    var outcomes: [String: Int] = [:]
    for index in 0..<3000 {
      let file = mutation.next()
      outcomes[outcome(of: file, password, allowsOutdatedCipher: index % 3 == 0), default: 0] += 1
      #expect(ERR_peek_error() == 0)
    }
    // The mutations reach what lies behind the outline and behind the MAC.
    for wanted in [
      "truncated", "damaged", "wrong_password", "not_pkcs12", "no_key", "no_certificate", ContainerVector.holder,
    ] {
      #expect(outcomes[wanted, default: 0] > 0, "\(wanted) in \(outcomes)")
    }
  }
}
