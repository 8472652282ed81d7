internal import CheckInCore
internal import EnrollmentCore
internal import TestSupport
internal import Testing

/// A register with its records and a clock, and somebody who asks.
final class RegisterRig {
  static let phone = "+46701234567"
  let cryptography = FakeCryptography(seed: 7)
  let register: EnrollmentRegister<FakeCryptography>
  var tables = MemoryTables()
  var now = WallTime(secondsSince1970: 1_800_000_000)
  let client: Digest
  var code: FourDigits?
  /// The account whose container came.
  var account = ""
  var token = SecretBytes([])
  var url = ""
  var isLoggedIn = false

  init(rules: EnrollmentRules = EnrollmentRules(), review: any PictureReview = AutomaticReview(after: .seconds(5))) {
    register = EnrollmentRegister(rules: rules, review: review, cryptography: cryptography)
    client = cryptography.sha256([1, 2, 3].span)
  }

  func wait(_ seconds: Int64) { now = now.advanced(by: .seconds(seconds)) }

  /// Asks with the built-in container.
  func install(
    _ request: EnrollmentRequest, client: Digest? = nil, from origin: Digest? = nil
  ) throws -> RegisterOutcome {
    try register.handle(
      EnrollmentOrder(request: request, peer: .installation, client: client ?? self.client, isLoggedIn: false),
      from: origin, now: now, in: &tables)
  }

  /// Asks with the personal certificate.
  func personal(_ request: EnrollmentRequest, serial: [UInt8] = [9]) throws -> RegisterOutcome {
    try register.handle(
      EnrollmentOrder(
        request: request, peer: .personal(account: account, serial: serial), client: client, isLoggedIn: isLoggedIn),
      now: now, in: &tables)
  }

  func result(_ outcome: RegisterOutcome) throws -> EnrollmentAnswer {
    guard case .answer(let answer) = outcome else { throw RigFailure(outcome: "\(outcome)") }
    return answer
  }

  @discardableResult
  func askForCode() throws -> FourDigits {
    guard case .sendCode(let code, let phone) = try install(.sendCode(phone: RegisterRig.phone)) else {
      throw RigFailure(outcome: "no code")
    }
    #expect(phone.text == RegisterRig.phone)
    self.code = code
    return code
  }

  /// Some digits that are not the code.
  var wrongCode: FourDigits {
    FourDigits(code?.digits.map { $0 == 57 ? 48 : $0 + 1 } ?? [48, 48, 48, 48])!
  }

  func registerWith(_ code: FourDigits, request: UInt8 = 1, client: Digest? = nil) throws -> RegisterOutcome {
    try install(
      .register(request: RegisterRig.request(request), phone: RegisterRig.phone, code: code), client: client)
  }

  static func request(_ number: UInt8) -> RequestID { RequestID(Bytes16([UInt8](repeating: number, count: 16))!) }

  /// Goes up to the container's URL.
  @discardableResult
  func grant() throws -> EnrollmentAnswer {
    let code = try askForCode()
    guard case .issue(let record) = try registerWith(code) else { throw RigFailure(outcome: "no container") }
    let answer = try register.issued(record, container: [1, 2, 3, 4], serial: [9], now: now, in: &tables)
    account = record.account
    token = SecretBytes(record.token)
    url = try #require(answer.url)
    #expect(answer.token?.matches(token) == true)
    return answer
  }

  /// Goes up to the container.
  func enroll() throws {
    try grant()
    #expect(try result(install(.fetchContainer(url: url))).container == [1, 2, 3, 4])
  }

  /// Goes up to this status.
  func advance(to status: EnrollmentStatus) throws {
    try enroll()
    if status == .passportNumber { return }
    _ = try personal(.passportNumber("AB1234567"))
    if status == .passportPhoto { return }
    _ = try register.submitted(.passport, picture(1), account: account, now: now, in: &tables)
    wait(5)
    #expect(try result(personal(.status)).status == .selfie)
    if status == .selfie { return }
    _ = try register.submitted(.selfie, picture(2), account: account, now: now, in: &tables)
    wait(5)
    #expect(try result(personal(.status)).status == .done)
  }

  func picture(_ number: UInt8) -> Digest { cryptography.sha256([number].span) }
}

struct RigFailure: Error {
  let outcome: String
}
