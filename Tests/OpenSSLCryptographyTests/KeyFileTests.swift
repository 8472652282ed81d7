import CheckInCore
import OpenSSLCryptography
import Testing

@Suite struct KeyFileTests {
  func code(_ body: () throws(OpenSSLError) -> Void) -> OpenSSLError.Code? {
    do throws(OpenSSLError) {
      try body()
      return nil
    } catch {
      #expect(!error.message.isEmpty && error.description.contains(error.code.description))
      return error.code
    }
  }

  func privateKey(_ text: String) -> OpenSSLError.Code? {
    code { () throws(OpenSSLError) in _ = try OpenSSLSigningKey(pem: Array(text.utf8)) }
  }

  func publicKey(_ text: String) -> OpenSSLError.Code? {
    code { () throws(OpenSSLError) in _ = try PublicKey(pem: Array(text.utf8)) }
  }

  @Test("A private key survives being written and read", arguments: SignatureAlgorithm.allCases)
  func privateRoundTrip(algorithm: SignatureAlgorithm) throws {
    let key = try OpenSSLSigningKey.generate(algorithm)
    #expect(key.publicKey.algorithm == algorithm)
    let pem = try key.pem()
    #expect(String(decoding: pem.bytes, as: UTF8.self).hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    let again = try OpenSSLSigningKey(pem: pem.bytes)
    #expect(again.publicKey == key.publicKey)
    let signature = try again.sign([1].span)
    #expect(signature.count == algorithm.signatureSize)
    #expect(OpenSSLCryptography().verifies(signature, of: [1], by: key.publicKey))
  }

  @Test("A public key survives being written and read", arguments: SignatureAlgorithm.allCases)
  func publicRoundTrip(algorithm: SignatureAlgorithm) throws {
    let key = try OpenSSLSigningKey.generate(algorithm).publicKey
    let pem = try key.pem()
    #expect(pem.hasPrefix("-----BEGIN PUBLIC KEY-----\n") && pem.hasSuffix("-----END PUBLIC KEY-----\n"))
    #expect(try PublicKey(pem: Array(pem.utf8)) == key)
  }

  @Test("Keys that the openssl program made are read")
  func readsForeignKeys() throws {
    #expect(try OpenSSLSigningKey(pem: Array(KeyFixtures.ed25519Private.utf8)).publicKey.algorithm == .ed25519)
    let key = try OpenSSLSigningKey(pem: Array(KeyFixtures.p256Private.utf8))
    #expect(try PublicKey(pem: Array(KeyFixtures.p256Public.utf8)) == key.publicKey)
    #expect(try PublicKey(pem: Array(KeyFixtures.p256PublicCompressed.utf8)) == key.publicKey)
    #expect(try key.publicKey.pem().trimmed == KeyFixtures.p256Public)
  }

  @Test("The secret key of RFC 8032 §7.1 test 2 gives its public key and its signature")
  func publishedKey() throws {
    let secret = bytes(hexadecimal: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")!
    let pkcs8 = bytes(hexadecimal: "302e020100300506032b657004220420")! + secret
    let text = "-----BEGIN PRIVATE KEY-----\n\(base64(pkcs8))\n-----END PRIVATE KEY-----\n"
    let key = try OpenSSLSigningKey(pem: Array(text.utf8))
    #expect(key.publicKey == SignatureVector.all[1].key)
    #expect(try key.sign([0x72].span) == SignatureVector.all[1].signature)
  }

  @Test("Text around a key, and Windows line ends, do no harm")
  func skipsText() throws {
    let text = "My key:\r\n" + KeyFixtures.ed25519Private.split(separator: "\n").joined(separator: "\r\n") + "\r\nEnd."
    #expect(privateKey(text) == nil)
  }

  @Test(
    "Each private key file that is none is refused with its own code",
    arguments: [
      ("", "not_pem"), ("hello", "not_pem"), ("-----BEGIN PRIVATE KEY-----", "damaged"),
      (KeyFixtures.encryptedPrivate, "encrypted"), (KeyFixtures.oldFormEncryptedPrivate, "encrypted"),
      (KeyFixtures.oldFormPrivate, "wrong_content"), (KeyFixtures.p256Public, "wrong_content"),
      (KeyFixtures.certificate, "wrong_content"), (KeyFixtures.rsaPrivate, "unsupported_key"),
      (KeyFixtures.p384Private, "unsupported_key"), (KeyFixtures.ed448Private, "unsupported_key"),
      (KeyFixtures.mismatchedPrivate, "invalid_key"),
      ("-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n", "damaged"),
      ("-----BEGIN PRIVATE KEY-----\n!!!!\n-----END PRIVATE KEY-----\n", "damaged"),
    ])
  func refusesPrivate(text: String, expected: String) {
    #expect(privateKey(text)?.description == expected)
  }

  @Test(
    "Each public key file that is none is refused with its own code",
    arguments: [
      ("", "not_pem"), ("-----BEGIN PUBLIC KEY-----\n", "damaged"), (KeyFixtures.p256Private, "wrong_content"),
      (KeyFixtures.certificate, "wrong_content"), (KeyFixtures.rsaPublic, "unsupported_key"),
      (KeyFixtures.p384Public, "unsupported_key"),
      ("-----BEGIN PUBLIC KEY-----\nMAA=\n-----END PUBLIC KEY-----\n", "invalid_key"),
    ])
  func refusesPublic(text: String, expected: String) {
    #expect(publicKey(text)?.description == expected)
  }

  @Test("A key file cut off anywhere is an error, never a crash and never another key")
  func truncated() throws {
    for text in [KeyFixtures.ed25519Private, KeyFixtures.p256Private] {
      let whole = try OpenSSLSigningKey(pem: Array(text.utf8)).publicKey
      for count in 0..<text.utf8.count {
        let key = try? OpenSSLSigningKey(pem: Array(text.utf8.prefix(count)))
        #expect(key == nil || key?.publicKey == whole, "cut at \(count)")
        if count < text.utf8.count - 5 { #expect(key == nil, "cut at \(count)") }
      }
    }
  }

  @Test("A key with any one byte changed is an error or another key, never a crash")
  func damaged() {
    for text in [KeyFixtures.p256Private, KeyFixtures.p256Public] {
      for index in text.utf8.indices {
        var changed = Array(text.utf8)
        changed[text.utf8.distance(from: text.utf8.startIndex, to: index)] ^= 0x04
        _ = try? OpenSSLSigningKey(pem: changed)
        _ = try? PublicKey(pem: changed)
      }
    }
    // The library still works and its queue of errors is empty of what came before.
    #expect(privateKey(KeyFixtures.p256Private) == nil)
  }

  @Test("Curve parameters spelled out are taken only as the named curve, if at all")
  func explicitParameters() {
    let key = try? OpenSSLSigningKey(pem: Array(KeyFixtures.explicitParametersPrivate.utf8))
    if let key {
      #expect(key.publicKey.algorithm == .es256)
      let signature = try? key.sign([1].span)
      #expect(signature.map { OpenSSLCryptography().verifies($0, of: [1], by: key.publicKey) } == true)
    } else {
      #expect(privateKey(KeyFixtures.explicitParametersPrivate) == .unsupportedKey)
    }
  }

  @Test("A public key that is no point cannot be written")
  func refusesToWriteNoPoint() {
    let key = PublicKey(algorithm: .es256, bytes: [UInt8](repeating: 1, count: 64))!
    #expect(code { () throws(OpenSSLError) in _ = try key.pem() } == .invalidKey)
  }

  @Test("R20: no error holds key material")
  func errorsKeepSecrets() {
    let text = KeyFixtures.mismatchedPrivate
    do throws(OpenSSLError) {
      _ = try OpenSSLSigningKey(pem: Array(text.utf8))
      Issue.record("a mismatched key was taken")
    } catch {
      let lines = text.split(separator: "\n").dropFirst().dropLast()
      #expect(lines.allSatisfy { !"\(error) \(String(describing: error.cause))".contains($0) })
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self
    while text.last == "\n" { text.removeLast() }
    return text
  }
}

/// Base64 with padding, for one fixture.
private func base64(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let number = (0..<3).reduce(0) { $0 << 8 | (start + $1 < bytes.count ? Int(bytes[start + $1]) : 0) }
    for position in 0..<4 {
      text.append(position <= group.count ? alphabet[number >> (18 - 6 * position) & 63] : "=")
    }
  }
  return text
}
