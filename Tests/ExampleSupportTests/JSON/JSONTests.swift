internal import CheckInCore
internal import ExampleSupport
internal import Foundation
internal import Glibc
internal import Testing

@Suite("JSON lines")
struct JSONTests {
  @Test("keeps the order of members, and nests")
  func keepsOrder() {
    let value: JSONValue = ["z": 1, "a": [true, false, .null, "x"], "m": ["k": -9_223_372_036_854_775_808]]
    #expect(value.text == #"{"z":1,"a":[true,false,null,"x"],"m":{"k":-9223372036854775808}}"#)
  }

  @Test("escapes what has to be escaped, and what could act on a terminal")
  func escapes() {
    let value = JSONValue.string("\"\\\u{8}\t\n\u{c}\r\u{0}\u{1b}[2J\u{7f}\u{9b}\u{2028}\u{202e}é😀")
    #expect(
      value.text
        == "\"\\\"\\\\\\b\\t\\n\\f\\r\\u0000\\u001b[2J\\u007f\\u009b\\u2028\\u202eé😀\"")
  }

  @Test("is read back by another program as it was meant, for every character up to U+2FFF")
  func isReadBack() throws {
    let text = String(String.UnicodeScalarView((0...0x2fff).compactMap(Unicode.Scalar.init)))
    let line = JSONValue.object([JSONMember(text, .string(text)), JSONMember("n", .integer(.max))]).text
    #expect(!line.utf8.contains { $0 < 0x20 || $0 == 0x7f })
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect((object?[text] as? String)?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
    #expect((object?["n"] as? NSNumber)?.int64Value == .max)
  }

  @Test("makes a replacement character of bytes that are not UTF-8")
  func replacesInvalid() {
    #expect(JSONValue.text([0x41, 0xff, 0xc0, 0x80, 0x42]).text == "\"A\u{fffd}\u{fffd}\u{fffd}B\"")
  }

  @Test(
    "writes times in UTC with milliseconds",
    arguments: [
      (0, 0, "1970-01-01T00:00:00.000Z"), (951_782_400, 7, "2000-02-29T00:00:00.007Z"),
      (-1, 999, "1969-12-31T23:59:59.999Z"), (4_102_444_799, 5, "2099-12-31T23:59:59.005Z"),
      (Int64.max, 0, "9999-12-31T23:59:59.000Z"), (Int64.min, 0, "0000-01-01T00:00:00.000Z"),
    ])
  func writesTimes(seconds: Int64, milliseconds: Int, text: String) {
    #expect(Timestamp.text(seconds: seconds, milliseconds: milliseconds) == text)
  }

  @Test("writes whole lines from many tasks, in a pipe that is read slowly", .timeLimit(.minutes(1)))
  func writesWholeLines() async throws {
    let (reading, writing) = try Descriptor.pipe()
    let output = LineOutput(descriptor: writing, whenClosed: .ignore)
    let lines = JSONLine(to: output, now: { "T" })
    let long = String(repeating: "x", count: 3000)
    // The reader has a thread of its own: the writers may hold every thread of the tasks while the pipe is full.
    let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let reader = DescriptorReader(reading) { input in
      if case .bytes(let bytes) = input { continuation.yield(bytes) } else { continuation.finish() }
    }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          lines.write(event: "e", [JSONMember("n", .integer(Int64(number))), JSONMember("t", .string(long))])
        }
      }
    }
    Descriptor.close(writing)
    var received: [UInt8] = []
    for await piece in pieces { received += piece }
    reader.stop()
    let numbers = received.split(separator: 10).compactMap { line -> Int? in
      let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      guard object?["t"] as? String == long, object?["at"] as? String == "T" else { return nil }
      return object?["n"] as? Int
    }
    #expect(numbers.sorted() == Array(0..<50))
  }

  @Test("answers false when the reader has gone, and the process lives on")
  func noticesGoneReader() throws {
    let (reading, writing) = try Descriptor.pipe()
    let output = LineOutput(descriptor: writing, whenClosed: .ignore)
    #expect(output.write("one\n"))
    close(reading)
    #expect(!output.write("two\n"))
    #expect(!output.write("three\n"))
    close(writing)
  }

  @Test("ends the process with status 74 when the reader has gone")
  func leaves() async {
    await #expect(processExitsWith: .exitCode(74)) {
      let (reading, writing) = try Descriptor.pipe()
      Descriptor.close(reading)
      LineOutput(descriptor: writing).write("nobody reads this\n")
    }
  }
}
