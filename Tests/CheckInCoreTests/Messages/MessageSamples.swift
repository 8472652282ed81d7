internal import CheckInCore
internal import TestSupport

/// One of each message, and the ends of their ranges.
enum MessageSamples {
  static func sixteen(_ byte: UInt8) -> Bytes16 {
    Bytes16([UInt8](repeating: byte, count: 16))!
  }

  static func hello(
    versions: [UInt64] = [1], session: UInt8 = 1, nonce: UInt8 = 2, credential: [UInt8] = [9, 9],
    authenticators: [String] = ["mock-biometric", "pin"], gate: String = "North", time: Int64 = 1_790_000_000
  ) -> Message.Hello {
    Message.Hello(
      versions: versions, session: SessionID(sixteen(session)), nonce: Nonce(sixteen(nonce)), credential: credential,
      authenticators: authenticators, gate: gate, time: WallTime(secondsSince1970: time))
  }

  static func initialRequest(
    version: UInt64 = 1, request: UInt8 = 3, nonce: UInt8 = 4, token: [UInt8] = [7, 7, 7], time: Int64 = 1_790_000_001
  ) -> Message.InitialRequest {
    Message.InitialRequest(
      version: version, request: RequestID(sixteen(request)), nonce: Nonce(sixteen(nonce)), token: token,
      time: WallTime(secondsSince1970: time))
  }

  static func pin(_ digits: String = "00417", lifetime: Int64 = 120, attemptsLeft: UInt64 = 3) -> Message {
    .pin(Message.PINMessage(pin: PIN(digits)!, lifetime: .seconds(lifetime), attemptsLeft: attemptsLeft))
  }

  static func checkInRequest(authenticator: String = "mock-biometric", evidence: [UInt8] = [5]) -> Message {
    .checkInRequest(
      Message.CheckInRequest(
        request: RequestID(sixteen(3)), pin: PIN("00417")!, authenticator: authenticator, evidence: evidence))
  }

  static func result(_ answer: Answer) -> Message {
    .result(Message.Result(request: RequestID(sixteen(3)), answer: answer))
  }

  static let fromKiosk: [Message] =
    [
      pin(), pin("99999", lifetime: 0, attemptsLeft: 0), pin("00000", lifetime: 4_294_967_295, attemptsLeft: .max),
      .notice(.waiting(ahead: 0)), .notice(.waiting(ahead: .max)), .notice(.onScreen),
      .notice(.wrongPIN(attemptsLeft: 2)),
      .notice(.confirmationFailed(attemptsLeft: 4)), .goodbye,
      result(
        Answer(.admitted, admittedAt: WallTime(secondsSince1970: .min), gate: String(repeating: "g", count: 128))),
      result(Answer(.tooManyAttempts, retryAfter: .seconds(4_294_967_295))),
      result(Answer(.alreadyAdmitted, admittedAt: WallTime(secondsSince1970: -1), gate: "")),
    ] + Reason.allCases.map { result(Answer($0)) }

  static let fromAttendee: [Message] = [
    checkInRequest(), checkInRequest(authenticator: "", evidence: []),
    checkInRequest(authenticator: String(repeating: "a", count: 64), evidence: [UInt8](repeating: 1, count: 4096)),
    .cancel, .goodbye,
  ]

  static let first: [Message] = [
    .hello(hello()),
    .hello(
      hello(
        versions: (1...16).map { UInt64.max - $0 }, credential: [UInt8](repeating: 1, count: 4096),
        authenticators: [String](repeating: String(repeating: "é", count: 32), count: 16),
        gate: String(repeating: "\u{1f6aa}", count: 32), time: .max)),
    .hello(hello(credential: [], authenticators: [], gate: "", time: .min)), .initialRequest(initialRequest()),
    .initialRequest(initialRequest(version: .max, token: [UInt8](repeating: 1, count: 4096), time: -1)),
  ]

  static let all = first + fromKiosk + fromAttendee
}
