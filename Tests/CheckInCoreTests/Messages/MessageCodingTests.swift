internal import CheckInCore
internal import TestSupport
internal import Testing

@Suite("Payloads of messages")
struct MessageCodingTests {
  private func code(_ payload: [UInt8]) -> MessageError.Code? {
    do throws(MessageError) {
      _ = try Message(payload: payload)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("A payload is written, read, and written the same", arguments: MessageSamples.all)
  func roundTrip(message: Message) throws {
    let payload = try message.payload()
    let again = try #require(try Message(payload: payload))
    #expect(try again.payload() == payload)
  }

  @Test("Fields come back as they were")
  func fields() throws {
    let hello = MessageSamples.hello(versions: [2, 1], credential: [1, 2, 3], gate: "Süd", time: -5)
    guard case .hello(let read)? = try Message(payload: try Message.hello(hello).payload()) else {
      Issue.record("no hello")
      return
    }
    #expect(read.versions == [2, 1] && read.session == hello.session && read.nonce == hello.nonce)
    #expect(read.credential == [1, 2, 3] && read.authenticators == ["mock-biometric", "pin"] && read.gate == "Süd")
    #expect(read.time == WallTime(secondsSince1970: -5))
    let answer = Answer(
      .tooManyAttempts, admittedAt: WallTime(secondsSince1970: 7), gate: "North", retryAfter: .milliseconds(30_999))
    guard case .result(let result)? = try Message(payload: try MessageSamples.result(answer).payload()) else {
      Issue.record("no result")
      return
    }
    #expect(
      result.answer == Answer(.tooManyAttempts, admittedAt: answer.admittedAt, gate: "North", retryAfter: .seconds(30)))
  }

  @Test("R1: a PIN is text of five digits on the wire, with its zeros")
  func pinText() throws {
    let payload = try MessageSamples.pin("00041", lifetime: 120).payload()
    #expect(payload == (try hex("a4 00 03 01 65 3030303431 02 1878 03 03")))
  }

  @Test(
    "R1: anything but five digits as text is no PIN",
    arguments: ["1901a1", "453030343137", "6430303431", "66303034313730", "653030343161", "652d30343137", "60"])
  func notAPIN(value: String) throws {
    let code = code(try hex("a4 0003 01\(value) 021878 0303"))
    #expect(code == (value == "66303034313730" ? .limitExceeded : .invalidField))
  }

  @Test(
    "A key from 0 on that is not known is passed over",
    arguments: ["a2 0007 09f6", "a2 0008 0980", "a2 0007 1bffffffffffffff00", "a2 0007 0ac6a1617800"])
  func unknownKey(text: String) throws {
    if text.contains("1bff") {
      // Keys from 2⁶³ on cannot be told apart from their number, so they are refused.
      #expect(code(try hex(text + "00")) == .malformed)
    } else {
      #expect(try Message(payload: try hex(text)) != nil)
    }
  }

  @Test(
    "A key below 0 that is not known is refused, and a key that is no number too",
    arguments: [
      ("a2 0007 2000", MessageError.Code.unknownCriticalKey), ("a2 0007 39ffff00", .unknownCriticalKey),
      ("a2 0007 617800", .malformed), ("a2 0007 417800", .malformed), ("a2 0007 f400", .malformed),
    ])
  func badKey(text: String, expected: MessageError.Code) throws {
    #expect(code(try hex(text)) == expected)
  }

  @Test(
    "R11: unknown types end the session, but those from 64 on are passed over", arguments: [0, 9, 63, 64, 65, .max])
  func unknownType(number: UInt64) throws {
    var writer = CBORWriter()
    writer.beginMap(2)
    writer.write(0 as UInt64)
    writer.write(number)
    writer.write(-1 as Int64)
    writer.write("whatever version 2 says")
    if number >= 64 {
      #expect(try Message(payload: writer.bytes) == nil)
    } else {
      #expect(code(writer.bytes) == .unknownType)
    }
  }

  @Test(
    "What is no message is refused",
    arguments: [
      ("", MessageError.Code.malformed), ("80", .malformed), ("07", .malformed), ("a10007 00", .malformed),
      ("a0", .invalidField), ("a10107", .invalidField), ("a100613c", .invalidField), ("a10020", .invalidField),
      ("a1617807", .malformed), ("bf0007ff", .malformed), ("a1001807", .malformed), ("a200070007", .malformed),
      ("a2 0007 09 f90000", .malformed), ("a2 0006 0105", .invalidField), ("a2 0006 0101", .invalidField),
      ("a3 0006 0101 0220", .invalidField), ("a1 0006", .invalidField), ("a1 0001", .invalidField),
      ("a1 0002", .invalidField), ("a1 0003", .invalidField), ("a1 0004", .invalidField), ("a1 0005", .invalidField),
    ])
  func refused(text: String, expected: MessageError.Code) throws {
    #expect(code(try hex(text)) == expected)
  }

  @Test(
    "R17: a result says success with reason 0 and only then",
    arguments: [
      ("f5", "00", true), ("f4", "0c", true), ("f4", "00", false), ("f5", "01", false), ("01", "00", false),
      ("f4", "1811", false), ("f4", "190100", false),
    ])
  func agreement(success: String, reason: String, good: Bool) throws {
    let payload = try hex("a4 0005 0150\(String(repeating: "03", count: 16)) 02\(success) 03\(reason)")
    #expect((code(payload) == nil) == good)
  }

  @Test("R19: a payload with a field above its limit is not read")
  func limits() throws {
    let request = String(repeating: "03", count: 16)
    let over = [
      "a1 0001 01 91" + String(repeating: "00", count: 17),
      "a6 0002 0101 0250\(request) 0350\(request) 04591001" + String(repeating: "00", count: 4097) + "0500",
      "a5 0004 0150\(request) 02653030343137 037841" + String(repeating: "61", count: 65) + "0440",
      "a5 0004 0150\(request) 02653030343137 0360 04591001" + String(repeating: "00", count: 4097),
      "a5 0005 0150\(request) 02f4 0301 057881" + String(repeating: "61", count: 129),
      "a5 0005 0150\(request) 02f4 0304 061b0000000100000000",
      "a4 0003 01653030343137 021b0000000100000000 0300",
    ]
    for (index, text) in over.enumerated() {
      // The first is not finished, so that its map says one pair too few.
      let text = index == 0 ? text.replacing("a1 0001 01", with: "a2 0001 01") : text
      #expect(code(try hex(text)) == .limitExceeded, "\(index)")
    }
    let short = try hex("a6 0002 0101 024f\(request.dropLast(2)) 0350\(request) 0440 0500")
    #expect(code(short) == .invalidField)
  }

  @Test(
    "What would be refused is not written",
    arguments: [
      Message.hello(MessageSamples.hello(versions: [UInt64](repeating: 1, count: 17))),
      .hello(MessageSamples.hello(credential: [UInt8](repeating: 1, count: 4097))),
      .hello(MessageSamples.hello(authenticators: [String](repeating: "a", count: 17))),
      .hello(MessageSamples.hello(authenticators: [String(repeating: "a", count: 65)])),
      .hello(MessageSamples.hello(gate: String(repeating: "é", count: 65))),
      .initialRequest(MessageSamples.initialRequest(token: [UInt8](repeating: 1, count: 4097))),
      MessageSamples.pin(lifetime: 4_294_967_296),
      MessageSamples.checkInRequest(evidence: [UInt8](repeating: 1, count: 4097)),
      MessageSamples.checkInRequest(authenticator: String(repeating: "a", count: 65)),
      MessageSamples.result(Answer(.admitted, gate: String(repeating: "g", count: 129))),
    ])
  func notWritten(message: Message) {
    #expect { try message.payload() } throws: { ($0 as? MessageError)?.code == .limitExceeded }
  }

  @Test(
    "A hello without a version and a time below zero are not written",
    arguments: [Message.hello(MessageSamples.hello(versions: [])), MessageSamples.pin(lifetime: -1)])
  func senseless(message: Message) {
    #expect { try message.payload() } throws: { ($0 as? MessageError)?.code == .invalidField }
  }

  @Test("Every truncation of a payload is refused", arguments: MessageSamples.all)
  func truncations(message: Message) throws {
    let payload = try message.payload()
    for length in stride(from: 0, to: payload.count, by: payload.count > 500 ? 97 : 1) {
      #expect(code(Array(payload[..<length])) == .malformed)
    }
  }

  @Test("Changed payloads never trap, and what is read is written the same or had keys to pass over", arguments: 0..<20)
  func mutations(seed: Int) throws {
    var dice = SplitMix64(seed: UInt64(seed))
    var others: [[UInt8]] = []
    for message in MessageSamples.all {
      let payload = try message.payload()
      guard payload.count < 500 else { continue }
      for _ in 0..<40 {
        let changed = dice.mutated(payload)
        guard code(changed) == nil, let read = try Message(payload: changed) else { continue }
        let again = try read.payload()
        if again != changed, again.count >= changed.count { others.append(changed) }
      }
    }
    #expect(others == [])
  }
}
