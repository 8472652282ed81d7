internal import CheckInCore
internal import Testing

/// The tables of RFC 8949, as figures.
@Suite("RFC 8949")
struct RFC8949Tests {
  /// A row of appendix A: what it is in diagnostic notation, its bytes, and what becomes of it here.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let hex: String
    let expected: Expected

    var testDescription: String { "\(name) \(hex)" }
  }

  enum Expected: Sendable {
    /// Deterministic and of use: read as this, and written as these bytes.
    case item(CBORItem)
    /// Deterministic, and a number that no field of ours can hold.
    case tooLarge
    /// Refused.
    case refused(CBORError.Code)
  }

  static let oneTo25 = CBORItem.array((1...25).map { .unsigned($0) })
  static let oneTo25Hex = "0102030405060708090a0b0c0d0e0f101112131415161718181819"

  static let numbers: [Row] = [
    Row(name: "0", hex: "00", expected: .item(.unsigned(0))),
    Row(name: "1", hex: "01", expected: .item(.unsigned(1))),
    Row(name: "10", hex: "0a", expected: .item(.unsigned(10))),
    Row(name: "23", hex: "17", expected: .item(.unsigned(23))),
    Row(name: "24", hex: "1818", expected: .item(.unsigned(24))),
    Row(name: "25", hex: "1819", expected: .item(.unsigned(25))),
    Row(name: "100", hex: "1864", expected: .item(.unsigned(100))),
    Row(name: "1000", hex: "1903e8", expected: .item(.unsigned(1000))),
    Row(name: "1000000", hex: "1a000f4240", expected: .item(.unsigned(1_000_000))),
    Row(name: "1000000000000", hex: "1b000000e8d4a51000", expected: .item(.unsigned(1_000_000_000_000))),
    Row(name: "18446744073709551615", hex: "1bffffffffffffffff", expected: .item(.unsigned(.max))),
    Row(
      name: "18446744073709551616", hex: "c249010000000000000000",
      expected: .item(.tag(2, .bytes([1, 0, 0, 0, 0, 0, 0, 0, 0])))),
    Row(name: "-18446744073709551616", hex: "3bffffffffffffffff", expected: .tooLarge),
    Row(
      name: "-18446744073709551617", hex: "c349010000000000000000",
      expected: .item(.tag(3, .bytes([1, 0, 0, 0, 0, 0, 0, 0, 0])))),
    Row(name: "-1", hex: "20", expected: .item(.negative(0))),
    Row(name: "-10", hex: "29", expected: .item(.negative(9))),
    Row(name: "-100", hex: "3863", expected: .item(.negative(99))),
    Row(name: "-1000", hex: "3903e7", expected: .item(.negative(999))),
  ]

  static let floats: [Row] = [
    ("0.0", "f90000"), ("-0.0", "f98000"), ("1.0", "f93c00"), ("1.1", "fb3ff199999999999a"), ("1.5", "f93e00"),
    ("65504.0", "f97bff"), ("100000.0", "fa47c35000"), ("3.4028234663852886e+38", "fa7f7fffff"),
    ("1.0e+300", "fb7e37e43c8800759c"), ("5.960464477539063e-8", "f90001"), ("0.00006103515625", "f90400"),
    ("-4.0", "f9c400"), ("-4.1", "fbc010666666666666"), ("Infinity", "f97c00"), ("NaN", "f97e00"),
    ("-Infinity", "f9fc00"), ("Infinity", "fa7f800000"), ("NaN", "fa7fc00000"), ("-Infinity", "faff800000"),
    ("Infinity", "fb7ff0000000000000"), ("NaN", "fb7ff8000000000000"), ("-Infinity", "fbfff0000000000000"),
    ("1(1363896240.5)", "c1fb41d452d9ec200000"), ("undefined", "f7"), ("simple(16)", "f0"), ("simple(255)", "f8ff"),
  ].map { Row(name: $0.0, hex: $0.1, expected: .refused(.unsupported)) }

  static let others: [Row] = [
    Row(name: "false", hex: "f4", expected: .item(.bool(false))),
    Row(name: "true", hex: "f5", expected: .item(.bool(true))),
    Row(name: "null", hex: "f6", expected: .item(.null)),
    Row(
      name: "0(\"2013-03-21T20:04:00Z\")", hex: "c074323031332d30332d32315432303a30343a30305a",
      expected: .item(.tag(0, .text("2013-03-21T20:04:00Z")))),
    Row(name: "1(1363896240)", hex: "c11a514b67b0", expected: .item(.tag(1, .unsigned(1_363_896_240)))),
    Row(name: "23(h'01020304')", hex: "d74401020304", expected: .item(.tag(23, .bytes([1, 2, 3, 4])))),
    Row(
      name: "24(h'6449455446')", hex: "d818456449455446",
      expected: .item(.tag(24, .bytes([0x64, 0x49, 0x45, 0x54, 0x46])))),
    Row(
      name: "32(\"http://www.example.com\")", hex: "d82076687474703a2f2f7777772e6578616d706c652e636f6d",
      expected: .item(.tag(32, .text("http://www.example.com")))),
    Row(name: "h''", hex: "40", expected: .item(.bytes([]))),
    Row(name: "h'01020304'", hex: "4401020304", expected: .item(.bytes([1, 2, 3, 4]))),
    Row(name: "\"\"", hex: "60", expected: .item(.text(""))),
    Row(name: "\"a\"", hex: "6161", expected: .item(.text("a"))),
    Row(name: "\"IETF\"", hex: "6449455446", expected: .item(.text("IETF"))),
    Row(name: "\"\\\"\\\\\"", hex: "62225c", expected: .item(.text("\"\\"))),
    Row(name: "\"\\u00fc\"", hex: "62c3bc", expected: .item(.text("\u{fc}"))),
    Row(name: "\"\\u6c34\"", hex: "63e6b0b4", expected: .item(.text("\u{6c34}"))),
    Row(name: "\"\\ud800\\udd51\"", hex: "64f0908591", expected: .item(.text("\u{10151}"))),
    Row(name: "[]", hex: "80", expected: .item(.array([]))),
    Row(name: "[1, 2, 3]", hex: "83010203", expected: .item(.array([.unsigned(1), .unsigned(2), .unsigned(3)]))),
    Row(
      name: "[1, [2, 3], [4, 5]]", hex: "8301820203820405",
      expected: .item(
        .array([
          .unsigned(1), .array([.unsigned(2), .unsigned(3)]), .array([.unsigned(4), .unsigned(5)]),
        ]))),
    Row(name: "[1, …, 25]", hex: "9819" + oneTo25Hex, expected: .item(oneTo25)),
    Row(name: "{}", hex: "a0", expected: .item(.map([]))),
    Row(
      name: "{1: 2, 3: 4}", hex: "a201020304",
      expected: .item(.map([CBORPair(.unsigned(1), .unsigned(2)), CBORPair(.unsigned(3), .unsigned(4))]))),
    Row(
      name: "{\"a\": 1, \"b\": [2, 3]}", hex: "a26161016162820203",
      expected: .item(
        .map([
          CBORPair(.text("a"), .unsigned(1)), CBORPair(.text("b"), .array([.unsigned(2), .unsigned(3)])),
        ]))),
    Row(
      name: "[\"a\", {\"b\": \"c\"}]", hex: "826161a161626163",
      expected: .item(.array([.text("a"), .map([CBORPair(.text("b"), .text("c"))])]))),
    Row(
      name: "{\"a\": \"A\", …, \"e\": \"E\"}", hex: "a56161614161626142616361436164614461656145",
      expected: .item(.map(["a", "b", "c", "d", "e"].map { CBORPair(.text($0), .text($0.uppercased())) }))),
  ]

  static let indefinite: [Row] = [
    ("(_ h'0102', h'030405')", "5f42010243030405ff"), ("(_ \"strea\", \"ming\")", "7f657374726561646d696e67ff"),
    ("[_ ]", "9fff"), ("[_ 1, [2, 3], [_ 4, 5]]", "9f018202039f0405ffff"),
    ("[_ 1, [2, 3], [4, 5]]", "9f01820203820405ff"), ("[1, [2, 3], [_ 4, 5]]", "83018202039f0405ff"),
    ("[1, [_ 2, 3], [4, 5]]", "83019f0203ff820405"), ("[_ 1, …, 25]", "9f" + oneTo25Hex + "ff"),
    ("{_ \"a\": 1, \"b\": [_ 2, 3]}", "bf61610161629f0203ffff"), ("[\"a\", {_ \"b\": \"c\"}]", "826161bf61626163ff"),
    ("{_ \"Fun\": true, \"Amt\": -2}", "bf6346756ef563416d7421ff"),
  ].map { Row(name: $0.0, hex: $0.1, expected: .refused(.indefiniteLength)) }

  @Test("Each row of appendix A is read and written, or refused", arguments: numbers + floats + others + indefinite)
  func appendixA(_ row: Row) throws {
    let input = try hex(row.hex)
    switch row.expected {
    case .item(let item):
      #expect(try CBORItem(input) == item)
      #expect(item.encoded == input)
    case .tooLarge:
      var reader = try CBORReader(input)
      #expect(throws: CBORError(.outOfRange, at: 0)) { try reader.readInteger() }
      #expect(reader.position == 0)
      try reader.skip()
      #expect(reader.isAtEnd)
    case .refused(let code):
      #expect { try CBORReader(input) } throws: { ($0 as? CBORError)?.code == code }
    }
  }

  /// Appendix F.
  static let notWellFormed =
    [
      "18", "19", "1a", "1b", "1901", "1a0102", "1b01020304050607", "38", "58", "78", "98", "9a01ff00", "b8", "d8",
      "f8", "f900", "fa0000", "fb000000", "41", "61", "5affffffff00", "5bffffffffffffffff010203", "7affffffff00",
      "7b7fffffffffffffff010203", "81", "818181818181818181", "8200", "a1", "a20102", "a100", "a2000000", "c0",
      "5f4100", "7f6100", "9f", "9f0102", "bf", "bf01020102", "819f", "9f8000", "9f9f9f9f9fffffffff",
      "9f819f819f9fffffff", "1c", "1d", "1e", "3c", "3d", "3e", "5c", "5d", "5e", "7c", "7d", "7e", "9c", "9d", "9e",
      "bc", "bd", "be", "dc", "dd", "de", "fc", "fd", "fe", "f800", "f801", "f818", "f81f", "5f00ff", "5f21ff",
      "5f6100ff", "5f80ff", "5fa0ff", "5fc000ff", "5fe0ff", "7f4100ff", "5f5f4100ffff", "7f7f6100ffff", "ff", "81ff",
      "8200ff", "a1ff", "a1ff00", "a100ff", "a20000ff", "9f81ff", "9f829f819f9fffffffff", "bf00ff", "bf000000ff",
      "1f", "3f", "df",
    ]

  @Test("What appendix F calls not well-formed is refused", arguments: notWellFormed)
  func appendixF(hex: String) throws {
    let input = try CheckInCoreTests.hex(hex)
    #expect(throws: CBORError.self) { try CBORReader(input) }
  }

  @Test("The table is whole")
  func count() {
    #expect(Self.numbers.count + Self.floats.count + Self.others.count + Self.indefinite.count == 81)
  }
}
