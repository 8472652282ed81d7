internal import CheckIn
internal import CheckInCore
internal import EnrollmentCore

/// Does what one request asks for: transactions on the records, and what takes time between them.
struct EnrollmentWork: Sendable {
  private let configuration: EnrollmentServerConfiguration
  private let register: EnrollmentRegister<AnyCryptography>
  private let logKey: SecretBytes

  init(_ configuration: EnrollmentServerConfiguration) {
    self.configuration = configuration
    logKey = configuration.logKey ?? SecretBytes(configuration.cryptography.randomBytes(32))
    register = EnrollmentRegister(
      rules: configuration.rules, review: configuration.review,
      cryptography: AnyCryptography(configuration.cryptography))
  }

  /// The answer to an order of the holder of this key, from that network address.
  func answer(_ order: EnrollmentOrder, key: PublicKey, from address: String?) async -> EnrollmentAnswer {
    let operation = order.request.operation
    let origin = address.map { configuration.cryptography.sha256(Array($0.utf8).span) }
    do throws(WorkFailure) {
      let outcome = try await transaction { register, now, tables throws(EnrollmentStoreError) in
        try register.handle(order, from: origin, now: now, in: &tables)
      }
      let answer = try await carryOut(outcome, key, origin)
      // A verdict of the review's may have sent a picture back.
      if case .personal(let account, _) = order.peer, operation == .status, answer.reason != nil {
        await prune(account)
      }
      return answer
    } catch {
      configuration.observer?.observe(
        .failed(operation, message: error.message), at: configuration.clock.now.wall)
      return EnrollmentAnswer(error.result)
    }
  }

  private func carryOut(
    _ outcome: RegisterOutcome, _ key: PublicKey, _ origin: Digest?
  ) async throws(WorkFailure) -> EnrollmentAnswer {
    switch outcome {
    case .answer(let answer): return answer
    case .sendCode(let code, let number): return try await send(code, to: number, origin)
    case .issue(let record): return try await issue(record)
    case .sayOffset(let kind, let upload, let account):
      var answer = EnrollmentAnswer(.done)
      answer.offset = try await pictures { pictures throws(PictureStoreError) in
        try await pictures.received(upload, kind, account: account)
      }
      return answer
    case .takePicture(let kind, let upload, let offset, let chunk, let account):
      return try await take(chunk, at: offset, of: upload, kind, account)
    case .issueTicket(let account):
      var answer = EnrollmentAnswer(.done)
      do throws(EnrollmentIssuerError) {
        answer.ticket = try await configuration.issuer.ticket(account: account.id, name: account.shownName, key: key)
      } catch {
        throw WorkFailure(error.message)
      }
      answer.name = account.shownName
      return answer
    }
  }

  private func send(
    _ code: FourDigits, to number: PhoneNumber, _ origin: Digest?
  ) async throws(WorkFailure) -> EnrollmentAnswer {
    do throws(SMSError) {
      let digits = String(decoding: code.digits, as: UTF8.self)
      let minutes = configuration.rules.codeLifetime.components.seconds / 60
      try await configuration.sms.send(
        "\(digits) is your code for \(configuration.name). It is valid for \(minutes) minutes. Give it to nobody.",
        to: number)
      let hash = configuration.cryptography.sha256((logKey.bytes + Array(number.text.utf8)).span)
      configuration.observer?.observe(.codeSent(number: hash.prefix), at: configuration.clock.now.wall)
      return register.codeSent
    } catch {
      try await transaction { register, _, tables throws(EnrollmentStoreError) in
        try register.withdrawCode(of: number.text, from: origin, in: &tables)
      }
      throw WorkFailure(error.message, .smsFailed)
    }
  }

  private func issue(_ record: RegistrationRecord) async throws(WorkFailure) -> EnrollmentAnswer {
    let issued: IssuedContainer
    do throws(EnrollmentIssuerError) {
      issued = try await configuration.issuer.container(
        account: record.account, name: record.account, token: SecretBytes(record.token))
    } catch {
      throw WorkFailure(error.message)
    }
    let (answer, old) = try await transaction { register, now, tables throws(EnrollmentStoreError) in
      let old = try tables.account(ofNumber: record.number)?.id
      let answer = try register.issued(record, container: issued.bytes, serial: issued.serial, now: now, in: &tables)
      return (answer, old)
    }
    if let old, old != record.account { await prune(old) }
    return answer
  }

  /// Removes what is of no use of what an earlier run has left.
  func tidy() async {
    for account in await configuration.pictures.accounts() { await prune(account) }
  }

  /// Forgets codes, tokens and containers whose time is over, now and every minute, until the task is cancelled.
  func forgetRegularly() async {
    let clock = configuration.clock
    while true {
      do throws(WorkFailure) {
        try await transaction { register, now, tables throws(EnrollmentStoreError) in
          try register.prune(now: now, in: &tables)
        }
      } catch {
        configuration.observer?.observe(.failed(.register, message: error.message), at: clock.now.wall)
      }
      do throws(CancellationError) {
        try await clock.sleep(until: clock.now.monotonic + .seconds(60))
      } catch {
        return
      }
    }
  }

  /// Removes pictures that an account needs no more. Where that fails, the next start of the server does it.
  private func prune(_ account: String) async {
    let pictures = configuration.pictures
    do throws(WorkFailure) {
      try await transaction { register, _, tables throws(EnrollmentStoreError) in
        try register.neededPictures(ofAccount: account, in: &tables) { pictures.prune(account, keeping: $0) }
      }
    } catch {
      configuration.observer?.observe(.failed(.status, message: error.message), at: configuration.clock.now.wall)
    }
  }

  private func take(
    _ chunk: [UInt8], at offset: UInt64, of upload: EnrollmentRequest.Upload, _ kind: PictureKind, _ account: String
  ) async throws(WorkFailure) -> EnrollmentAnswer {
    if offset == 0, !chunk.isEmpty, !JPEGOutline.begins(chunk) { return EnrollmentAnswer(.notAPicture) }
    guard offset <= upload.size, UInt64(chunk.count) <= upload.size - offset else {
      return EnrollmentAnswer(.wrongOffset)
    }
    var answer = EnrollmentAnswer(.done)
    let end: UInt64
    do throws(PictureStoreError) {
      end = try await configuration.pictures.append(chunk, at: offset, to: upload, kind, account: account)
    } catch {
      guard case .wrongOffset(let there) = error.code else { throw WorkFailure(error.message) }
      answer.result = .wrongOffset
      answer.offset = there
      return answer
    }
    guard end == upload.size else {
      answer.offset = end
      return answer
    }
    return try await finish(upload, kind, account)
  }

  /// All bytes are there: looks whether they are what they should be, and hands the picture in.
  private func finish(
    _ upload: EnrollmentRequest.Upload, _ kind: PictureKind, _ account: String
  ) async throws(WorkFailure) -> EnrollmentAnswer {
    let content = try await pictures { pictures throws(PictureStoreError) in
      try await pictures.content(upload, kind, account: account)
    }
    guard configuration.cryptography.sha256(content.span) == upload.digest else {
      await configuration.pictures.discard(upload, kind, account: account)
      return EnrollmentAnswer(.damaged)
    }
    do throws(EnrollmentResult) {
      _ = try JPEGOutline(content, limit: configuration.rules.pictureBytes)
    } catch {
      await configuration.pictures.discard(upload, kind, account: account)
      return EnrollmentAnswer(error)
    }
    try await keep(content, upload, kind, account)
    let answer = try await transaction { register, now, tables throws(EnrollmentStoreError) in
      try register.submitted(kind, upload.digest, account: account, now: now, in: &tables)
    }
    // Where somebody has rejected the same picture meanwhile, it was removed before it was handed in anew.
    if answer.result == .done { try await keep(content, upload, kind, account) }
    await prune(account)
    return answer
  }

  private func keep(
    _ content: [UInt8], _ upload: EnrollmentRequest.Upload, _ kind: PictureKind, _ account: String
  ) async throws(WorkFailure) {
    try await pictures { pictures throws(PictureStoreError) in
      try await pictures.keep(content, upload, kind, account: account)
    }
  }

  private func pictures<Value: Sendable>(
    _ body: (any PictureStore) async throws(PictureStoreError) -> Value
  ) async throws(WorkFailure) -> Value {
    do throws(PictureStoreError) {
      return try await body(configuration.pictures)
    } catch {
      throw WorkFailure(error.message)
    }
  }

  private func transaction<Value: Sendable>(
    _ body:
      @escaping @Sendable (EnrollmentRegister<AnyCryptography>, WallTime, inout any EnrollmentTables)
      throws(EnrollmentStoreError) -> Value
  ) async throws(WorkFailure) -> Value {
    let register = register
    let now = configuration.clock.now.wall
    do throws(EnrollmentStoreError) {
      return try await configuration.store.update { tables throws(EnrollmentStoreError) in
        try body(register, now, &tables)
      }
    } catch {
      throw WorkFailure(error.message)
    }
  }
}

/// A part failed at its work: what the client hears, and what the observer does.
private struct WorkFailure: Error {
  let message: String
  let result: EnrollmentResult

  init(_ message: String, _ result: EnrollmentResult = .internal) {
    self.message = message
    self.result = result
  }
}
