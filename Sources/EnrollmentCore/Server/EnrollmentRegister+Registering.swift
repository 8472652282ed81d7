public import CheckInCore

/// From the phone number to the container.
extension EnrollmentRegister {
  func sendCode(
    to typed: String, _ client: Digest, _ origin: Digest?, _ now: WallTime, _ tables: inout some EnrollmentTables
  ) throws(EnrollmentStoreError) -> RegisterOutcome {
    guard let phone = try? PhoneNumber(typed), phone.text == typed else { return .refused(.invalid) }
    try prune(now: now, in: &tables)
    // A clock that was set back must not let a number wait for ever.
    let begin = now.advanced(by: .zero - rules.smsWindow)
    var sent = (try tables.number(typed)?.sent ?? []).filter { $0 > begin && $0 <= now }
    if let last = sent.last {
      let next =
        sent.count >= rules.smsLimit ? sent[0].advanced(by: rules.smsWindow) : last.advanced(by: rules.smsPause)
      if next > now { return RegisterOutcome.wait(until: next, now) }
    }
    var limits = [(rules.smsTotalLimit, nil as Digest?)]
    if let origin { limits.append((rules.smsPeerLimit, origin)) }
    for (limit, origin) in limits {
      let (count, first) = try tables.messages(from: begin, to: now, origin: origin)
      if count >= limit, let first { return RegisterOutcome.wait(until: first.advanced(by: rules.smsWindow), now) }
    }
    sent.append(now)
    try tables.countMessage(at: now, origin: origin)
    let code = FourDigits(random: cryptography)
    let salt = cryptography.randomBytes(16)
    try tables.put(
      NumberRecord(
        number: typed, client: client, salt: salt, code: digest(of: code, salt),
        expires: now.advanced(by: rules.codeLifetime), triesLeft: rules.codeTries, sent: sent))
    return .sendCode(code, to: phone)
  }

  /// Forgets what is of no use any more, so that strangers' numbers do not fill the disk and tokens do not stay on it.
  public func prune(now: WallTime, in tables: inout some EnrollmentTables) throws(EnrollmentStoreError) {
    try tables.prune(codes: now.advanced(by: .zero - rules.smsWindow), containers: now)
  }

  /// Takes a code back whose message could not be sent. The number may ask again at once.
  public func withdrawCode(
    of number: String, from origin: Digest? = nil, in tables: inout some EnrollmentTables
  ) throws(EnrollmentStoreError) {
    try tables.withdrawMessage(origin: origin)
    guard var record = try tables.number(number) else { return }
    record.triesLeft = 0
    record.sent = Array(record.sent.dropLast())
    try tables.put(record)
  }

  /// The answer to a code whose message is on its way.
  public var codeSent: EnrollmentAnswer {
    var answer = EnrollmentAnswer(.done)
    answer.retryAfter = rules.smsPause
    answer.attemptsLeft = UInt64(rules.codeTries)
    return answer
  }

  func register(
    _ request: RequestID, _ phone: String, _ code: FourDigits, _ client: Digest, _ earlier: RegistrationRecord?,
    _ now: WallTime, _ tables: inout some EnrollmentTables
  ) throws(EnrollmentStoreError) -> RegisterOutcome {
    // The answer was lost, or the server stopped before there was one: the same again.
    if let earlier, earlier.request == request, earlier.number == phone,
      rules.isAlive(until: earlier.expires, of: rules.urlLifetime, at: now)
    {
      return earlier.container.isEmpty ? .issue(earlier) : .answer(granted(earlier))
    }
    guard var number = try tables.number(phone), number.triesLeft > 0, number.client == client else {
      return .refused(.noCode)
    }
    guard rules.isAlive(until: number.expires, of: rules.codeLifetime, at: now) else { return .refused(.codeExpired) }
    // Compared as digests, which takes the same time for every code.
    guard SecretBytes(digest(of: code, number.salt).bytes).matches(SecretBytes(number.code.bytes)) else {
      number.triesLeft -= 1
      try tables.put(number)
      guard number.triesLeft > 0 else { return .refused(.noCode) }
      var answer = EnrollmentAnswer(.wrongCode)
      answer.attemptsLeft = UInt64(number.triesLeft)
      return .answer(answer)
    }
    number.triesLeft = 0
    try tables.put(number)
    let record = RegistrationRecord(
      client: client, request: request, number: phone, account: "p-" + hexadecimal(cryptography.randomBytes(10)),
      path: hexadecimal(cryptography.randomBytes(32)), token: cryptography.randomBytes(EnrollmentLimits.token),
      expires: now.advanced(by: rules.urlLifetime))
    try tables.put(record)
    return .issue(record)
  }

  /// The container was made: opens the account, in the place of any that the number had, and gives the answer.
  ///
  /// Whoever had the number before loses what they proved: a new holder of the number proves it anew.
  public func issued(
    _ record: RegistrationRecord, container: [UInt8], serial: [UInt8], now: WallTime,
    in tables: inout some EnrollmentTables
  ) throws(EnrollmentStoreError) -> EnrollmentAnswer {
    guard var registration = try tables.registration(record.client), registration.request == record.request else {
      return EnrollmentAnswer(.noCode)
    }
    // Somebody else was faster with the same request: theirs counts.
    guard registration.container.isEmpty, !registration.isFetched else {
      return registration.isFetched ? EnrollmentAnswer(.gone) : granted(registration)
    }
    if var old = try tables.account(ofNumber: record.number) {
      old.isReplaced = true
      try tables.put(old)
    }
    try tables.put(
      AccountRecord(
        id: record.account, number: record.number, serial: serial,
        token: cryptography.sha256(record.token.span), created: now))
    registration.container = container
    registration.expires = now.advanced(by: rules.urlLifetime)
    try tables.put(registration)
    return granted(registration)
  }

  func fetch(
    _ url: String, _ registration: RegistrationRecord?, _ now: WallTime, _ tables: inout some EnrollmentTables
  ) throws(EnrollmentStoreError) -> RegisterOutcome {
    guard var registration, !registration.container.isEmpty,
      rules.isAlive(until: registration.expires, of: rules.urlLifetime, at: now),
      SecretBytes(Array(url.utf8)).matches(SecretBytes(Array(EnrollmentRegister.url(registration.path).utf8)))
    else { return .refused(.gone) }
    var answer = EnrollmentAnswer(.done)
    answer.container = registration.container
    registration.isFetched = true
    registration.container = []
    registration.token = []
    try tables.put(registration)
    return .answer(answer)
  }

  private func granted(_ registration: RegistrationRecord) -> EnrollmentAnswer {
    var answer = EnrollmentAnswer(.done)
    answer.url = EnrollmentRegister.url(registration.path)
    answer.token = SecretBytes(registration.token)
    return answer
  }

  private static func url(_ path: String) -> String { EnrollmentProtocol.containerURLPrefix + path }

  private func digest(of code: FourDigits, _ salt: [UInt8]) -> Digest {
    var bytes = salt + code.digits
    defer { SecretBytes.wipe(&bytes) }
    return cryptography.sha256(bytes.span)
  }
}

extension RegisterOutcome {
  /// Too many messages: when the next may be asked for.
  fileprivate static func wait(until time: WallTime, _ now: WallTime) -> RegisterOutcome {
    var answer = EnrollmentAnswer(.wait)
    answer.retryAfter = .seconds(max(1, time.secondsSince1970 - now.secondsSince1970))
    return .answer(answer)
  }
}
