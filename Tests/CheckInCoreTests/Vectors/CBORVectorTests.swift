internal import CheckInCore
internal import Testing

@Suite("Vectors of CBOR, made elsewhere")
struct CBORVectorTests {
  struct File: Decodable {
    struct Refused: Decodable {
      let bytes: String
      let reason: String
    }

    let accepted: [String]
    let refused: [Refused]
  }

  /// What the vectors call our codes.
  static let names: [CBORError.Code: String] = [
    .truncated: "truncated", .trailingBytes: "trailing_bytes", .notShortest: "not_shortest",
    .indefiniteLength: "indefinite_length", .reserved: "reserved", .unsupported: "unsupported_value",
    .tooDeep: "too_deep", .keysNotSorted: "keys_not_sorted", .duplicateKey: "duplicate_key", .notUTF8: "not_utf8",
  ]

  @Test("All of them are read or refused, for the reason that they give")
  func all() throws {
    let file: File = try VectorFiles.read("cbor")
    #expect(file.accepted.count > 20 && file.refused.count > 40)
    for text in file.accepted {
      let bytes = try hex(text)
      #expect(throws: Never.self, "\(text)") { try CBORReader(bytes) }
    }
    for refused in file.refused {
      let bytes = try hex(refused.bytes)
      #expect("\(refused.bytes)") {
        try CBORReader(bytes)
      } throws: {
        Self.names[try #require($0 as? CBORError).code] == refused.reason
      }
    }
  }
}
