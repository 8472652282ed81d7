import CheckIn
import CheckInCore
import OpenSSLCryptography
import Testing
import TokenList

@Suite struct TokenListTests {
  let cryptography = OpenSSLCryptography()
  static let key = PublicKey(algorithm: .ed25519, bytes: [UInt8](0..<32))!
  static let other = PublicKey(algorithm: .es256, bytes: [UInt8](0..<64))!

  func list(_ text: String) throws -> TokenList {
    try TokenList(csv: Array(text.utf8), cryptography: cryptography)
  }

  /// A list of Ada with one more row.
  func list(row: String) throws -> TokenList {
    try list(
      "token,id,name,key,gate,valid_from,valid_until,revoked\nAQID,1,Ada,\(Self.key.text),,,,\n\(row)\nBwgJ,3,Grace,\(Self.key.text),,,,\n"
    )
  }

  @Test("A listed token is valid, with everything that its row says", .timeLimit(.minutes(1)))
  func valid() async throws {
    let list = try list(
      row: "BAUG,2,\"Lovelace, Ada\",\(Self.other.text),Hall A; Hall B,2026-12-01T09:00:00Z,2026-12-02,FALSE")
    #expect(list.errors.isEmpty && list.count == 3)
    let holder = TokenHolder(
      attendee: "2", name: "Lovelace, Ada", key: Self.other, validFrom: WallTime(rfc3339: "2026-12-01T09:00:00Z"),
      validUntil: WallTime(rfc3339: "2026-12-03T00:00:00Z"), gates: ["Hall A", "Hall B"])
    #expect(await list.judge([4, 5, 6]) == .valid(holder))
    #expect(await list.judge([1, 2, 3]) == .valid(TokenHolder(attendee: "1", name: "Ada", key: Self.key)))
  }

  @Test("The optional columns may be missing", .timeLimit(.minutes(1)))
  func fewColumns() async throws {
    let list = try list("name,key,id,token\r\nAda,\(Self.key.text),1,AQID\r\n")
    #expect(await list.judge([1, 2, 3]) == .valid(TokenHolder(attendee: "1", name: "Ada", key: Self.key)))
  }

  @Test(
    "R16: a token that no row has is unknown, whatever its bytes", .timeLimit(.minutes(1)),
    arguments: [
      [], [1], [1, 2], [1, 2, 4], [1, 2, 3, 0], [UInt8](repeating: 1, count: 4_096),
    ])
  func unknown(token: [UInt8]) async throws {
    #expect(try await list(row: "").judge(token) == .invalid(.unknown))
  }

  @Test(
    "A revoked token is refused by name, not unknown", .timeLimit(.minutes(1)), arguments: ["true", "TRUE", " true "])
  func revoked(text: String) async throws {
    let list = try list(row: "BAUG,2,Mallory,\(Self.key.text),,,,\(text)")
    #expect(
      await list.judge([4, 5, 6]) == .refused(.revoked, TokenHolder(attendee: "2", name: "Mallory", key: Self.key)))
  }

  static let wrongRows: [(String, CSVError.Code, Int)] = [
    ("!!!!,2,Grace,K,,,,", .value, 1), ("BAUG=,2,Grace,K,,,,", .value, 1), (",2,Grace,K,,,,", .value, 1),
    (String(repeating: "AAAA", count: 1_366) + ",2,Grace,K,,,,", .value, 1),
    ("BAUG,,Grace,K,,,,", .value, 6), ("BAUG, ,Grace,K,,,,", .value, 6), ("BAUG,2,,K,,,,", .value, 8),
    ("BAUG,2,\"Gr\nace\",K,,,,", .value, 8), ("BAUG,2,Gr\u{1b}[2Jace,K,,,,", .value, 8),
    ("BAUG,2,Gr\u{202e}ace,K,,,,", .value, 8), ("BAUG,\(String(repeating: "x", count: 257)),Grace,K,,,,", .value, 6),
    ("BAUG,2,Grace,ed25519:AAAA,,,,", .value, 14), ("BAUG,2,Grace,,,,,", .value, 14),
    ("BAUG,2,Grace,K,a;;b,,,", .value, 66), ("BAUG,2,Grace,K,,tomorrow,,", .value, 67),
    ("BAUG,2,Grace,K,,,2026-02-30,", .value, 68), ("BAUG,2,Grace,K,,2026-12-02,2026-12-01,", .value, 78),
    ("BAUG,2,Grace,K,,,,yes", .value, 69), ("BAUG,2,Grace,K", .fieldCount, 14), ("AQID,2,Grace,K,,,,", .duplicate, 1),
    ("BAUG,1,Grace,K,,,,", .duplicate, 6),
  ]

  @Test(
    "A wrong row is left out and named, the others count, and no message repeats the token",
    .timeLimit(.minutes(1)), arguments: wrongRows)
  func wrongRow(row: String, code: CSVError.Code, column: Int) async throws {
    let list = try list(row: row.replacing("K,", with: "\(Self.key.text),").replacing(/K$/, with: Self.key.text))
    let error = try #require(list.errors.first)
    #expect(list.errors.count == 1)
    #expect(error.code == code && error.line == 3 && error.column == column, "\(error)")
    #expect(!error.message.contains("BAUG") && !error.message.contains("AQID"))
    #expect(list.count == 2)
    if case .valid(let holder) = await list.judge([7, 8, 9]) {
      #expect(holder.name == "Grace")
    } else {
      Issue.record("the row behind was lost")
    }
  }

  @Test("A header with a column that nobody knows is refused: a mistyped “revoked” must not admit")
  func header() {
    #expect { try list("token,id,name,key,revokd\n") } throws: { ($0 as? CSVError)?.code == .header }
    #expect { try list("id,name,key\n") } throws: { ($0 as? CSVError)?.code == .header }
    #expect { try list("") } throws: { ($0 as? CSVError)?.code == .header }
  }

  @Test("A list that was written is read again as it was", .timeLimit(.minutes(1)))
  func roundTrip() async throws {
    let entries = [
      TokenListEntry(
        token: cryptography.randomBytes(32),
        holder: TokenHolder(
          attendee: "a,1", name: "Ada \"the first\"", key: Self.key, validFrom: WallTime(secondsSince1970: 0),
          validUntil: WallTime(secondsSince1970: 1_796_115_600), gates: ["Hall A", "Hall B"])),
      TokenListEntry(
        token: [0], holder: TokenHolder(attendee: "2", name: "名", key: Self.other), isRevoked: true),
    ]
    let list = try list(TokenListEntry.csv(entries))
    #expect(list.errors.isEmpty)
    #expect(await list.judge(entries[0].token) == .valid(entries[0].holder))
    #expect(await list.judge([0]) == .refused(.revoked, entries[1].holder))
  }
}
