internal import CheckInCore
internal import Foundation
internal import OpenSSLCryptography
internal import Testing

/// An example of the COSE working group, as far as COSE_Sign1 goes.
private struct Example: Decodable {
  struct Input: Decodable {
    let sign0: Sign0
  }
  struct Sign0: Decodable {
    let key: Key
    let external: String?
  }
  struct Key: Decodable {
    let x: String?
    let y: String?
    let xHex: String?
    let yHex: String?

    enum CodingKeys: String, CodingKey {
      case x, y
      case xHex = "x_hex"
      case yHex = "y_hex"
    }
  }
  struct Intermediates: Decodable {
    let toBeSigned: String

    enum CodingKeys: String, CodingKey {
      case toBeSigned = "ToBeSign_hex"
    }
  }
  struct Output: Decodable {
    let cbor: String
  }

  let fail: Bool?
  let input: Input
  let intermediates: Intermediates
  let output: Output

  func publicKey() throws -> PublicKey {
    let key = input.sign0.key
    let x = try coordinate(key.x, key.xHex)
    guard key.y != nil || key.yHex != nil else {
      return try #require(PublicKey(algorithm: .ed25519, bytes: x))
    }
    return try #require(PublicKey(algorithm: .es256, bytes: x + coordinate(key.y, key.yHex)))
  }

  private func coordinate(_ base64URL: String?, _ hexadecimal: String?) throws -> [UInt8] {
    if let hexadecimal { return try hex(hexadecimal) }
    let text = try #require(base64URL).replacing("-", with: "+").replacing("_", with: "/")
    let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    return Array(try #require(Data(base64Encoded: padded)))
  }
}

private let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
  path: "../../../../shared/vectors/cose")

@Suite(
  "Examples of the COSE working group",
  .enabled(
    if: FileManager.default.fileExists(atPath: folder.path), "the folder ../shared/vectors is not beside the package"))
struct COSEWorkingGroupTests {
  private func example(_ name: String) throws -> Example {
    try JSONDecoder().decode(Example.self, from: Data(contentsOf: folder.appending(path: "\(name).json")))
  }

  @Test(
    "What passes there verifies here, over the same bytes",
    arguments: ["sign-pass-02", "sign-pass-03", "eddsa-sig-01", "cwt-A_3"])
  func accepted(name: String) throws {
    let example = try example(name)
    #expect(example.fail != true)
    let external = try hex(example.input.sign0.external ?? "")
    var bytes = try hex(example.output.cbor)
    // One example leaves the tag away, which this protocol never does.
    if bytes.first == 0x84 { bytes.insert(0xd2, at: 0) }
    let envelope = try SignedEnvelope(bytes, form: .credential)
    let signed = SignedEnvelope.signedBytes(envelope.protectedHeader, external, envelope.payload)
    #expect(signed == (try hex(example.intermediates.toBeSigned)))
    try envelope.verify(by: example.publicKey(), externalData: external, cryptography: OpenSSLCryptography())
    #expect(throws: EnvelopeError.badSignature) {
      try envelope.verify(by: example.publicKey(), externalData: external + [0], cryptography: OpenSSLCryptography())
    }
  }

  @Test("The example that names its algorithm outside the signature is refused: `alg` must be protected")
  func unprotectedAlgorithm() throws {
    let bytes = try hex(try example("sign-pass-01").output.cbor)
    #expect(throws: EnvelopeError.invalid(.algorithm)) { try SignedEnvelope(bytes, form: .credential) }
  }

  @Test(
    "What fails there fails here, each for its reason",
    arguments: [
      ("sign-fail-01", EnvelopeError.notAnEnvelope), ("sign-fail-02", .badSignature),
      ("sign-fail-03", .invalid(.algorithm)), ("sign-fail-04", .invalid(.algorithm)), ("sign-fail-06", .badSignature),
      ("sign-fail-07", .badSignature),
    ])
  func refused(name: String, error: EnvelopeError) throws {
    let example = try example(name)
    #expect(example.fail == true)
    #expect(throws: error) {
      let envelope = try SignedEnvelope(try hex(example.output.cbor), form: .credential)
      try envelope.verify(by: example.publicKey(), cryptography: OpenSSLCryptography())
    }
  }
}
