import CheckIn
import CheckInCore
import Testing

@Suite struct Base64URLTests {
  @Test(
    "The published examples go both ways (RFC 4648 §10, without padding)",
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"),
    ])
  func published(plain: String, encoded: String) {
    #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
    #expect(Base64URL.decode(encoded) == Array(plain.utf8))
  }

  @Test("Bytes of every value and every length up to 300 survive")
  func roundTrip() {
    for count in 0...300 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) }
      #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }
    #expect(Base64URL.encode([0xfb, 0xff, 0xbf]) == "-_-_")
  }

  @Test(
    "What is not the one text of some bytes is refused",
    arguments: ["A", "AAAAA", "Zg==", "Zm8=", "Zh", "Zm9", "+/+/", "Zm9v\n", " Zm9v", "Zm 9v", "Zé", "Zm9v\0"])
  func refuses(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test(
    "A public key survives as text; another algorithm, size or spelling does not",
    arguments: SignatureAlgorithm.allCases)
  func keys(algorithm: SignatureAlgorithm) throws {
    let key = try #require(
      PublicKey(algorithm: algorithm, bytes: (0..<algorithm.publicKeySize).map { UInt8($0) }))
    #expect(PublicKey(text: key.text) == key)
    for bad in [
      "", ":", "rsa:AAAA", "ed25519", "ed25519:", String(key.text.dropLast()), key.text + "A", key.text + "=",
      key.text.uppercased(), " " + key.text,
    ] {
      #expect(PublicKey(text: bad) == nil, "\(bad)")
    }
  }
}
