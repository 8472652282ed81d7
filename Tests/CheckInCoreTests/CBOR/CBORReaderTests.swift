internal import CheckInCore
internal import Testing

@Suite("Strict reading of CBOR")
struct CBORReaderTests {
  @Test(
    "A number in more bytes than it needs is refused, in every type that has one",
    arguments: [
      "1817", "1900ff", "1a0000ffff", "1b00000000ffffffff", "3817", "3900ff", "580100", "590001aa", "780161",
      "98 01 00", "b8010000", "d80100", "d9001201", "c24101", "c2480102030405060708", "c249000102030405060708",
      "c340",
    ])
  func shortest(hex: String) throws {
    let input = try CheckInCoreTests.hex(hex)
    #expect { try CBORReader(input) } throws: { ($0 as? CBORError)?.code == .notShortest }
  }

  @Test(
    "Keys must be in bytewise order and unique, also deep inside",
    arguments: [
      ("a202000100", CBORError.Code.keysNotSorted), ("a201000100", .duplicateKey), ("a220000100", .keysNotSorted),
      ("a26162006161 00", .keysNotSorted), ("a2626161006162 00", .keysNotSorted), ("81a1a20200010000", .keysNotSorted),
      ("a301000200 0200", .duplicateKey), ("a2187b00 17 00", .keysNotSorted),
    ])
  func keys(hex: String, code: CBORError.Code) throws {
    let input = try CheckInCoreTests.hex(hex)
    #expect { try CBORReader(input) } throws: { ($0 as? CBORError)?.code == code }
  }

  @Test("Bytewise order is not length-first order: 100 comes before -1")
  func order() throws {
    // RFC 8949 §4.2.1 gives this order: 10, 100, -1, "z", "aa", [100], [-1], false.
    let hex = "a8 0a00 186400 2000 617a00 62616100 81186400 812000 f400".filter { $0 != " " }
    let input = try CheckInCoreTests.hex(hex)
    #expect(try CBORItem(input).encoded == input)
  }

  @Test("R19: nesting of eight is read, and of nine refused", arguments: [[UInt8]]([[0x81], [0xa1, 0x00], [0xc6]]))
  func depth(level: [UInt8]) throws {
    let eight = [[UInt8]](repeating: level, count: 8).joined() + [0x00]
    _ = try CBORReader(Array(eight))
    #expect { try CBORReader(level + eight) } throws: { ($0 as? CBORError)?.code == .tooDeep }
  }

  @Test("R19: a hundred thousand levels are refused without descending")
  func veryDeep() {
    let input = [UInt8](repeating: 0x81, count: 100_000) + [0]
    #expect { try CBORReader(input) } throws: { ($0 as? CBORError)?.code == .tooDeep }
  }

  @Test(
    "R19: a count that promises more than there are bytes is refused before anything is kept",
    arguments: [
      "5bffffffffffffffff", "7bffffffffffffffff", "9bffffffffffffffff", "bbffffffffffffffff", "9b7fffffffffffffff",
      "bb7fffffffffffffff", "5b7fffffffffffffff", "9affffffff", "baffffffff", "bb8000000000000000", "830000",
      "a2000001",
    ])
  func counts(hex: String) throws {
    let input = try CheckInCoreTests.hex(hex)
    #expect { try CBORReader(input) } throws: { ($0 as? CBORError)?.code == .truncated }
  }

  @Test("No bytes are no item, and two items are not one")
  func oneItem() {
    #expect(throws: CBORError(.truncated, at: 0)) { try CBORReader([]) }
    #expect(throws: CBORError(.trailingBytes, at: 1)) { try CBORReader([0, 0]) }
  }

  @Test("A text that is not UTF-8 is refused, also as a key")
  func utf8() {
    #expect { try CBORReader([0x61, 0xff]) } throws: { ($0 as? CBORError)?.code == .notUTF8 }
    #expect { try CBORReader([0xa1, 0x62, 0xc0, 0x80, 0x00]) } throws: { ($0 as? CBORError)?.code == .notUTF8 }
  }

  @Test("A read that asks for another type fails where it stands, and the right one goes on")
  func wrongType() throws {
    var writer = CBORWriter()
    writer.beginArray(6)
    writer.write(7 as UInt64)
    writer.write(-7 as Int64)
    writer.write([1, 2])
    writer.write("ab")
    writer.write(true)
    writer.writeNull()
    var reader = try CBORReader(writer.bytes)
    #expect(throws: CBORError(.wrongType, at: 0)) { try reader.readMapHead() }
    #expect(try reader.readArrayHead() == 6)
    #expect(throws: CBORError(.wrongType, at: 1)) { try reader.readBytes() }
    #expect(try reader.readUnsigned() == 7)
    #expect(throws: CBORError(.wrongType, at: 2)) { try reader.readUnsigned() }
    #expect(try reader.readInteger() == -7)
    #expect(throws: CBORError(.wrongType, at: 3)) { try reader.readText() }
    #expect(throws: CBORError(.tooLong, at: 3)) { try reader.readBytes(limit: 1) }
    #expect(try reader.readBytes(limit: 2) == [1, 2])
    #expect(throws: CBORError(.tooLong, at: 6)) { try reader.readText(limit: 1) }
    #expect(try reader.readTextBytes(limit: 2) == [97, 98])
    #expect(throws: CBORError(.wrongType, at: 9)) { try reader.readNull() }
    #expect(try reader.readBool())
    #expect(throws: CBORError(.wrongType, at: 10)) { try reader.readBool() }
    try reader.readNull()
    #expect(reader.isAtEnd && reader.nextType == nil)
    #expect(throws: CBORError(.truncated, at: 11)) { try reader.readUnsigned() }
    #expect(throws: CBORError(.truncated, at: 11)) { try reader.skip() }
  }

  @Test("Limits of arrays and maps hold", arguments: [0, 1, 2, 3])
  func limits(limit: Int) throws {
    var array = try CBORReader([0x82, 0, 0])
    var map = try CBORReader([0xa2, 0, 0, 1, 0])
    if limit < 2 {
      #expect(throws: CBORError(.tooLong, at: 0)) { try array.readArrayHead(limit: limit) }
      #expect(throws: CBORError(.tooLong, at: 0)) { try map.readMapHead(limit: limit) }
    } else {
      #expect(try array.readArrayHead(limit: limit) == 2)
      #expect(try map.readMapHead(limit: limit) == 2)
    }
  }

  @Test(
    "The ends of the ranges of numbers are written and read",
    arguments: [
      0, 23, 24, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, Int64.max, -1, -24, -25, -256, -257, Int64.min,
    ])
  func ranges(number: Int64) throws {
    var writer = CBORWriter()
    writer.write(number)
    var reader = try CBORReader(writer.bytes)
    #expect(try reader.readInteger() == number)
    #expect(reader.isAtEnd)
  }

  @Test("Trees drawn at random come back as they were", arguments: 0..<200)
  func roundTrip(seed: Int) throws {
    var dice = SplitMix64(seed: UInt64(seed))
    let item = CBORItem.random(depth: 4, &dice)
    #expect(try CBORItem(item.encoded) == item)
  }

  @Test("Every truncation of an item is refused", arguments: 0..<20)
  func truncations(seed: Int) {
    var dice = SplitMix64(seed: UInt64(seed) &+ 1000)
    let encoded = CBORItem.random(depth: 3, &dice).encoded
    let accepted = encoded.indices.filter { (try? CBORReader(Array(encoded[..<$0]))) != nil }
    #expect(accepted == [])
  }

  @Test("Whatever is accepted is the one encoding of its item", arguments: 0..<50)
  func canonical(seed: Int) {
    var dice = SplitMix64(seed: UInt64(seed) &+ 2000)
    var accepted = 0
    var others: [[UInt8]] = []
    for _ in 0..<200 {
      var input = CBORItem.random(depth: 2, &dice).encoded
      for _ in 0..<Int.random(in: 0...3, using: &dice) {
        input = dice.mutated(input)
      }
      guard let item = try? CBORItem(input) else { continue }
      accepted += 1
      if item.encoded != input { others.append(input) }
    }
    #expect(accepted > 50)
    #expect(others == [])
  }

  @Test("Random bytes never trap", arguments: 0..<20)
  func garbage(seed: Int) {
    var dice = SplitMix64(seed: UInt64(seed) &+ 3000)
    var others: [[UInt8]] = []
    for _ in 0..<2000 {
      let input = dice.bytes(Int.random(in: 0...40, using: &dice))
      if let item = try? CBORItem(input), item.encoded != input { others.append(input) }
    }
    #expect(others == [])
  }

  @Test("A key given twice is the writer's caller's mistake")
  func doubledKey() async {
    await #expect(processExitsWith: .failure) {
      var writer = CBORWriter()
      writer.writeMap(sorting: [([1], [1]), ([1], [2])])
    }
  }
}
