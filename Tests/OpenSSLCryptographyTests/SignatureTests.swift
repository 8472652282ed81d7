import CheckInCore
import OpenSSLCryptography
import Testing

/// One published signature.
struct SignatureVector: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let key: PublicKey
  let message: [UInt8]
  let signature: [UInt8]

  init(_ name: String, _ algorithm: SignatureAlgorithm, key: String, message: [UInt8], signature: String) {
    testDescription = name
    self.key = PublicKey(algorithm: algorithm, bytes: bytes(hexadecimal: key)!)!
    self.message = message
    self.signature = bytes(hexadecimal: signature)!
  }

  static let all = [
    SignatureVector(
      "RFC 8032 §7.1 test 1", .ed25519, key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
      message: [],
      signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555"
        + "fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    SignatureVector(
      "RFC 8032 §7.1 test 2", .ed25519, key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
      message: [0x72],
      signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da0"
        + "85ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
    SignatureVector(
      "RFC 8032 §7.1 test 3", .ed25519, key: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
      message: [0xaf, 0x82],
      signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac1"
        + "8ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
    SignatureVector(
      "RFC 8032 §7.1 SHA(abc)", .ed25519, key: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
      message: bytes(
        hexadecimal: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
          + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")!,
      signature: "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b5890"
        + "9351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"),
    SignatureVector(
      "RFC 6979 A.2.5 sample", .es256, key: rfc6979Key, message: Array("sample".utf8),
      signature: "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
        + "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"),
    SignatureVector(
      "RFC 6979 A.2.5 test", .es256, key: rfc6979Key, message: Array("test".utf8),
      signature: "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367"
        + "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"),
    SignatureVector(
      "NIST CAVP 186-4 SigGen P-256, SHA-256, first", .es256,
      key: "1ccbe91c075fc7f4f033bfa248db8fccd3565de94bbfb12f3c59ff46c271bf83"
        + "ce4014c68811f9a21a1fdb2c0e6113e06db7ca93b7404e78dc7ccd5ca89a4ca9",
      message: bytes(
        hexadecimal: "5905238877c77421f73e43ee3da6f2d9e2ccad5fc942dcec0cbd25482935faaf416983fe165b1a045ee2bcd2e6dca3b"
          + "df46c4310a7461f9a37960ca672d3feb5473e253605fb1ddfd28065b53cb5858a8ad28175bf9bd386a5e471ea7a65c17cc934a9"
          + "d791e91491eb3754d03799790fe2d308d16146d5c9b0d0debd97d79ce8")!,
      signature: "f3ac8061b514795b8843e3d6629527ed2afd6b1f6a555a7acabb5e6f79c8c2ac"
        + "8bf77819ca05a6b2786c76262bf7371cef97b218e96f175a3ccdda2acc058903"),
  ]

  private static let rfc6979Key =
    "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"
    + "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"
}

@Suite struct SignatureTests {
  let cryptography = OpenSSLCryptography()

  func verify(_ signature: [UInt8], of message: [UInt8], by key: PublicKey) -> Bool {
    cryptography.verifies(signature, of: message, by: key)
  }

  @Test("A published signature verifies, again and again", arguments: SignatureVector.all)
  func accepts(vector: SignatureVector) {
    for _ in 0..<3 {
      #expect(verify(vector.signature, of: vector.message, by: vector.key))
    }
  }

  @Test("A signature with any one bit changed is refused", arguments: SignatureVector.all)
  func refusesChangedBits(vector: SignatureVector) {
    for bit in 0..<vector.signature.count * 8 {
      var changed = vector.signature
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!verify(changed, of: vector.message, by: vector.key), "bit \(bit)")
    }
  }

  @Test("A signature of another message is refused", arguments: SignatureVector.all)
  func refusesOtherMessage(vector: SignatureVector) {
    #expect(!verify(vector.signature, of: vector.message + [0], by: vector.key))
  }

  @Test("A signature by another key is refused", arguments: SignatureAlgorithm.allCases)
  func refusesOtherKey(algorithm: SignatureAlgorithm) throws {
    let key = try OpenSSLSigningKey.generate(algorithm)
    let other = try OpenSSLSigningKey.generate(algorithm)
    let signature = try key.sign([1, 2, 3].span)
    #expect(verify(signature, of: [1, 2, 3], by: key.publicKey))
    #expect(!verify(signature, of: [1, 2, 3], by: other.publicKey))
  }

  @Test("A signature of the wrong size is refused", arguments: SignatureVector.all)
  func refusesWrongSizes(vector: SignatureVector) {
    for count in 0..<64 {
      #expect(!verify(Array(vector.signature.prefix(count)), of: vector.message, by: vector.key))
    }
    #expect(!verify(vector.signature + [0], of: vector.message, by: vector.key))
    #expect(!verify([0] + vector.signature, of: vector.message, by: vector.key))
  }

  @Test(
    "An ES256 signature whose numbers are out of range is refused",
    arguments: [
      String(repeating: "0", count: 64),
      "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
      "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632552",
      String(repeating: "f", count: 64),
    ])
  func refusesOutOfRange(number: String) {
    let vector = SignatureVector.all[4]
    let bad = bytes(hexadecimal: number)!
    #expect(!verify(bad + vector.signature.suffix(32), of: vector.message, by: vector.key))
    #expect(!verify(vector.signature.prefix(32) + bad, of: vector.message, by: vector.key))
    #expect(!verify(bad + bad, of: vector.message, by: vector.key))
  }

  @Test("An Ed25519 signature whose s is not below the group's order is refused (RFC 8032 §5.1.7)")
  func refusesLargeS() {
    let vector = SignatureVector.all[0]
    // s + L: the same number modulo the order, so only a check of its range finds it.
    let order = bytes(hexadecimal: "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")!
    var forged = vector.signature
    var carry = 0
    for index in 0..<32 {
      let sum = Int(forged[32 + index]) + Int(order[index]) + carry
      forged[32 + index] = UInt8(sum & 0xff)
      carry = sum >> 8
    }
    #expect(carry == 0)
    #expect(!verify(forged, of: vector.message, by: vector.key))
  }

  @Test("A key that is no point on P-256 verifies nothing", arguments: [0, 31, 32, 63])
  func refusesOffCurve(position: Int) {
    let vector = SignatureVector.all[4]
    var point = vector.key.bytes
    point[position] ^= 1
    #expect(!verify(vector.signature, of: vector.message, by: PublicKey(algorithm: .es256, bytes: point)!))
    for fill: UInt8 in [0, 0xff] {
      let key = PublicKey(algorithm: .es256, bytes: [UInt8](repeating: fill, count: 64))!
      #expect(!verify(vector.signature, of: vector.message, by: key))
    }
  }

  @Test("Ed25519 key bytes that are no point verify nothing")
  func refusesOffCurveEd25519() {
    let vector = SignatureVector.all[0]
    // y = 2 has no x on the curve.
    let key = PublicKey(algorithm: .ed25519, bytes: [2] + [UInt8](repeating: 0, count: 31))!
    #expect(!verify(vector.signature, of: vector.message, by: key))
  }

  @Test("The cache of parsed keys stays within its bound, and every key goes on working")
  func boundsTheCache() throws {
    let small = OpenSSLCryptography(cachedKeys: 8)
    let keys = try (0..<40).map { _ in try OpenSSLSigningKey.generate(.ed25519) }
    let signatures = try keys.map { try $0.sign([7].span) }
    for _ in 0..<3 {
      for (key, signature) in zip(keys, signatures) {
        #expect(small.verifies(signature, of: [7], by: key.publicKey))
        #expect(small.cachedKeyCount <= 8)
      }
    }
    #expect(small.cachedKeyCount > 0)
  }

  @Test("Many tasks sign and verify with the same keys at once", .timeLimit(.minutes(1)))
  func concurrency() async throws {
    let shared = OpenSSLCryptography(cachedKeys: 4)
    let keys = try SignatureAlgorithm.allCases.flatMap { algorithm in
      try (0..<4).map { _ in try OpenSSLSigningKey.generate(algorithm) }
    }
    let failures = await withTaskGroup(of: Int.self) { group in
      for task in 0..<16 {
        group.addTask {
          var failures = 0
          for round in 0..<50 {
            let key = keys[(task + round) % keys.count]
            let message = [UInt8](repeating: UInt8(task), count: round)
            guard let signature = try? key.sign(message.span) else {
              failures += 1
              continue
            }
            if !shared.verify(signature.span, of: message.span, by: key.publicKey) { failures += 1 }
            if shared.verify(signature.span, of: (message + [1]).span, by: key.publicKey) { failures += 1 }
          }
          return failures
        }
      }
      return await group.reduce(0, +)
    }
    #expect(failures == 0)
  }
}

extension OpenSSLCryptography {
  /// The same question about arrays, which the macros of the test library can look at.
  func verifies(_ signature: [UInt8], of message: [UInt8], by key: PublicKey) -> Bool {
    verify(signature.span, of: message.span, by: key)
  }
}
