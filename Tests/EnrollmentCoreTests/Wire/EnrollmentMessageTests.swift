internal import CheckInCore
internal import EnrollmentCore
internal import TestSupport
internal import Testing

/// Every message and field, there and back.
@Suite struct EnrollmentMessageTests {
  private static let digest = Digest([UInt8](0..<32))!
  private static let upload = EnrollmentRequest.Upload(digest: digest, size: 70_000)
  static let requests: [EnrollmentRequest] = [
    .sendCode(phone: "+46701234567"),
    .register(request: RequestID(Bytes16([UInt8](0..<16))!), phone: "+46701234567", code: FourDigits("0042")!),
    .fetchContainer(url: "enroll:/container/00"), .status, .passportNumber("AB1234567"), .resume(.selfie, upload),
    .resume(.passport, upload), .upload(.passport, upload, offset: 32_768, chunk: [1, 2, 3]),
    .upload(.selfie, upload, offset: 70_000, chunk: []), .logIn(token: SecretBytes([UInt8](0..<16))), .ticket,
  ]

  @Test("A request is read as it was written", arguments: requests.indices)
  func readsRequest(index: Int) throws {
    let request = EnrollmentMessageTests.requests[index]
    let payload = try EnrollmentMessage.request(request).payload()
    guard case .request(let read)? = try EnrollmentMessage(payload: payload) else { throw RigFailure(outcome: "none") }
    #expect(read.operation == request.operation)
    #expect(try EnrollmentMessage.request(read).payload() == payload)
  }

  @Test("The names on the wire are the original ones")
  func names() throws {
    #expect(
      EnrollmentOperation.allCases.map(\.rawValue) == [
        "skicka_sms", "registera_kund", "hamta_behallare", "kolla_statusen", "skicka_passnummer", "fraga_uppladdning",
        "skicka_pass", "skicka_selfie", "logga_in", "hamta_biljett",
      ])
    // {0: 3, 1: "kolla_statusen"}
    #expect(
      try EnrollmentMessage.request(.status).payload() == [0xa2, 0, 3, 1, 0x6e] + Array("kolla_statusen".utf8))
  }

  @Test("An answer with all that there is is read as it was written, and one with nothing")
  func answers() throws {
    var answer = EnrollmentAnswer(.wrongCode, status: EnrollmentStatus(rawValue: 999))
    answer.reason = "blurred"
    answer.url = "enroll:/container/00"
    answer.token = SecretBytes([UInt8](0..<16))
    answer.container = [1, 2]
    answer.offset = 5
    answer.attemptsLeft = 2
    answer.retryAfter = .seconds(30)
    answer.ticket = [3]
    answer.name = "Ada"
    for answer in [answer, EnrollmentAnswer(.done)] {
      let payload = try EnrollmentMessage.answer(answer).payload()
      guard case .answer(let read)? = try EnrollmentMessage(payload: payload) else { throw RigFailure(outcome: "none") }
      #expect(try EnrollmentMessage.answer(read).payload() == payload)
      #expect(read.result == answer.result && read.status == answer.status && read.retryAfter == answer.retryAfter)
    }
  }

  @Test("Every result has a number, a name and a text of its own")
  func results() {
    #expect(Set(EnrollmentResult.allCases.map(\.rawValue)) == Set(0..<20))
    #expect(Set(EnrollmentResult.allCases.map(\.name)).count == 20)
    #expect(Set(EnrollmentResult.allCases.map(\.text)).count == 20)
  }

  @Test("What is too large is not written")
  func limits() {
    let tooLarge: [EnrollmentMessage] = [
      .request(.sendCode(phone: "+12345678901234567")),
      .request(.fetchContainer(url: String(repeating: "x", count: 129))),
      .request(
        .upload(.passport, EnrollmentMessageTests.upload, offset: 0, chunk: [UInt8](repeating: 0, count: 32_769))),
      .request(.logIn(token: SecretBytes([UInt8](repeating: 0, count: 17)))),
    ]
    for message in tooLarge {
      #expect(throws: MessageError.self) { try message.payload() }
    }
  }

  @Test(
    "No payload with one byte changed or cut traps; what is read is written the same way, or has keys to be skipped")
  func survives() throws {
    for request in EnrollmentMessageTests.requests {
      let payload = try EnrollmentMessage.request(request).payload()
      for index in payload.indices {
        for value in [0, 1, 0x18, 0x40, 0x60, 0x7f, 0x80, 0xff] as [UInt8] {
          var changed = payload
          changed[index] = value
          _ = try? EnrollmentMessage(payload: changed)
        }
        _ = try? EnrollmentMessage(payload: Array(payload.prefix(index)))
      }
    }
  }

  @Test("A request without its fields, of an unknown operation, or with a critical key is refused")
  func refuses() throws {
    let fieldless: [UInt8] = [0xa2, 0, 3, 1, 0x6a] + Array("skicka_sms".utf8)
    let unknown: [UInt8] = [0xa2, 0, 3, 1, 0x64] + Array("foga".utf8)
    let critical: [UInt8] = [0xa3, 0, 3, 1, 0x6e] + Array("kolla_statusen".utf8) + [0x20, 1]
    let later: [UInt8] = [0xa3, 0, 3, 1, 0x6e] + Array("kolla_statusen".utf8) + [0x18, 0x63, 1]
    for bytes in [fieldless, unknown, critical, [0xa0], [0xa1, 0, 7]] {
      #expect(throws: MessageError.self) { try EnrollmentMessage(payload: bytes) }
    }
    guard case .request(.status)? = try EnrollmentMessage(payload: later) else { throw RigFailure(outcome: "refused") }
    #expect(try EnrollmentMessage(payload: [0xa1, 0, 0x18, 64]) == nil, "a type to be passed over")
  }
}
