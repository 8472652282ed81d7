internal import CheckInCore
internal import TestSupport
internal import Testing

@Suite("COSE_Key")
struct COSEKeyTests {
  static let x = String(repeating: "11", count: 32)
  static let y = String(repeating: "22", count: 32)

  @Test("A key is written as the protocol's page says, and read again")
  func roundTrip() throws {
    let ed25519 = try #require(PublicKey(algorithm: .ed25519, bytes: try hex(Self.x)))
    #expect(ed25519.coseKey == (try hex("a3 0101 2006 215820" + Self.x)))
    #expect(try PublicKey(coseKey: ed25519.coseKey) == ed25519)
    let es256 = try #require(PublicKey(algorithm: .es256, bytes: try hex(Self.x + Self.y)))
    #expect(es256.coseKey == (try hex("a4 0102 2001 215820" + Self.x + "225820" + Self.y)))
    #expect(try PublicKey(coseKey: es256.coseKey) == es256)
  }

  @Test(
    "Labels that do not matter are passed over",
    arguments: [
      "a5 0101 0241aa 0327 2006 215820" + x, "a4 0101 048102 2006 215820" + x, "a4 0101 2006 215820" + x + "63666f6f00",
    ])
  func otherLabels(text: String) throws {
    #expect(try PublicKey(coseKey: try hex(text)).algorithm == .ed25519)
  }

  @Test(
    "Anything else is refused, each for its reason",
    arguments: [
      ("a3 0101 2004 215820" + x, COSEKeyError.unsupported), ("a4 0102 2002 215820" + x + "225820" + y, .unsupported),
      ("a2 0104 2006", .unsupported), ("a2 2006 215820" + x, .unsupported), ("a0", .unsupported),
      ("a4 0101 0326 2006 215820" + x, .unsupported), ("a2 0101 2006", .incomplete),
      ("a3 0101 2006 21581f" + String(x.dropLast(2)), .incomplete), ("a3 0102 2001 215820" + x, .incomplete),
      ("a4 0101 2006 215820" + x + "225820" + y, .incomplete),
      ("a4 0102 2001 21581f" + String(x.dropLast(2)) + "225821" + y + "00", .incomplete),
      ("a4 0101 2006 215820" + x + "235820" + y, .privateKey),
      ("a4 0102 2001 215820" + x + "22f5", .malformed(CBORError(.wrongType, at: 41))),
      ("a2 0101 0102", .malformed(CBORError(.duplicateKey, at: 3))), ("80", .malformed(CBORError(.wrongType, at: 0))),
      ("", .malformed(CBORError(.truncated, at: 0))), ("a14100 00", .malformed(CBORError(.wrongType, at: 1))),
    ])
  func refused(text: String, error: COSEKeyError) throws {
    let bytes = try hex(text)
    #expect(throws: error) { try PublicKey(coseKey: bytes) }
    #expect(!error.message.isEmpty)
  }
}
