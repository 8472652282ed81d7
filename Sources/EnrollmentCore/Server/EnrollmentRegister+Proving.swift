public import CheckInCore

/// From the passport's number to the PIN.
extension EnrollmentRegister {
  /// The status, after a look at whether a verdict is there.
  func status(
    _ account: inout AccountRecord, _ now: WallTime, _ tables: inout some EnrollmentTables
  ) throws(EnrollmentStoreError) -> EnrollmentAnswer {
    if account.status == .processing, let submission = account.submission,
      let verdict = review.verdict(on: submission, now: now)
    {
      account.take(verdict)
      try tables.put(account)
    }
    return account.statusAnswer
  }

  func passportNumber(
    _ typed: String, _ account: inout AccountRecord, _ tables: inout some EnrollmentTables
  ) throws(EnrollmentStoreError) -> RegisterOutcome {
    guard let number = PassportNumber(typed), number.text == typed else { return .refused(.invalid) }
    // The same again, after a lost answer, is no mistake.
    if account.status != .passportNumber {
      return account.passportNumber == typed ? .answer(account.statusAnswer) : .refused(.notNow)
    }
    account.passportNumber = typed
    account.status = .passportPhoto
    try tables.put(account)
    return .answer(account.statusAnswer)
  }

  /// Why a picture is not taken now; nil: it is.
  func refusal(
    _ kind: PictureKind, _ upload: EnrollmentRequest.Upload, _ account: AccountRecord
  ) -> EnrollmentResult? {
    guard upload.size <= rules.pictureBytes else { return .tooLarge }
    guard upload.size > 0 else { return .notAPicture }
    if account.status == (kind == .passport ? .passportPhoto : .selfie) { return nil }
    // The last piece's answer was lost: the picture is handed in, and the same one again is one.
    if account.status == .processing, account.reviewing == kind, account.picture(kind) == upload.digest { return nil }
    return .notNow
  }

  /// A picture is complete, and is one: it is being looked at from now on.
  public func submitted(
    _ kind: PictureKind, _ picture: Digest, account id: String, now: WallTime, in tables: inout some EnrollmentTables
  ) throws(EnrollmentStoreError) -> EnrollmentAnswer {
    guard var account = try tables.account(id), !account.isReplaced else { return EnrollmentAnswer(.replaced) }
    guard !account.isLocked else { return EnrollmentAnswer(.locked) }
    if account.status == .processing, account.reviewing == kind, account.picture(kind) == picture {
      return account.statusAnswer
    }
    guard account.status == (kind == .passport ? .passportPhoto : .selfie) else { return EnrollmentAnswer(.notNow) }
    switch kind {
    case .passport: account.passport = picture
    case .selfie: account.selfie = picture
    }
    account.status = .processing
    account.reviewing = kind
    account.submitted = now
    account.reason = ""
    try tables.put(account)
    return account.statusAnswer
  }

  /// Says which pictures an account needs still; nil: none, also none that are on their way, as it was replaced. Of an account that
  /// is not in the records nothing is said: they may be older than the pictures.
  public func neededPictures(
    ofAccount id: String, in tables: inout some EnrollmentTables, say: (Set<Digest>?) -> Void
  ) throws(EnrollmentStoreError) {
    guard let account = try tables.account(id) else { return }
    say(account.isReplaced ? nil : Set([account.passport, account.selfie].compactMap { $0 }))
  }

  /// A person's verdict. Nil: there is no such account; false: nothing of it is to be judged.
  ///
  /// - Parameter name: the person's name as it stands in the passport; empty: it is not said.
  public func decide(
    _ verdict: ReviewVerdict, account id: String, name: String = "", in tables: inout some EnrollmentTables
  ) throws(EnrollmentStoreError) -> Bool? {
    guard var account = try tables.account(id), !account.isReplaced else { return nil }
    guard account.status == .processing, account.reviewing != nil else { return false }
    account.take(verdict)
    if !name.isEmpty { account.name = name }
    try tables.put(account)
    return true
  }

  /// Compares the token with the account's, and counts what is wrong. The first right one after all is proved says that the
  /// person has set a PIN.
  func logIn(
    _ token: SecretBytes, _ account: inout AccountRecord, _ now: WallTime, _ tables: inout some EnrollmentTables
  ) throws(EnrollmentStoreError) -> RegisterOutcome {
    var bytes = token.bytes
    defer { SecretBytes.wipe(&bytes) }
    let digest = cryptography.sha256(bytes.span)
    guard SecretBytes(digest.bytes).matches(SecretBytes(account.token.bytes)) else {
      account.failures += 1
      account.isLocked = account.failures >= rules.pinTries
      try tables.put(account)
      guard !account.isLocked else { return .refused(.locked) }
      var answer = EnrollmentAnswer(.wrongPIN)
      answer.attemptsLeft = UInt64(rules.pinTries - account.failures)
      return .answer(answer)
    }
    account.failures = 0
    if account.status == .done { account.isSealed = true }
    try tables.put(account)
    var answer = try status(&account, now, &tables)
    answer.name = account.shownName
    return .answer(answer)
  }

  /// Opens a locked account again; nil: there is no such account.
  public func unlock(
    account id: String, in tables: inout some EnrollmentTables
  ) throws(EnrollmentStoreError) -> Bool? {
    guard var account = try tables.account(id), !account.isReplaced else { return nil }
    let wasLocked = account.isLocked
    account.isLocked = false
    account.failures = 0
    try tables.put(account)
    return wasLocked
  }
}

extension AccountRecord {
  /// The name for greetings: the person's, or one that says nothing about them.
  public var shownName: String {
    name.isEmpty ? "Guest \(String(decoding: Array(number.utf8).suffix(4), as: UTF8.self))" : name
  }

  /// A picture, by its content.
  public func picture(_ kind: PictureKind) -> Digest? {
    switch kind {
    case .passport: passport
    case .selfie: selfie
    }
  }

  /// What waits for a verdict.
  public var submission: Submission? {
    guard let reviewing, let submitted, let picture = picture(reviewing) else { return nil }
    return Submission(
      account: id, kind: reviewing, picture: picture, passportNumber: passportNumber, time: submitted)
  }

  var statusAnswer: EnrollmentAnswer {
    var answer = EnrollmentAnswer(.done, status: status)
    if !reason.isEmpty { answer.reason = reason }
    return answer
  }

  /// Goes on, or back, as the verdict says.
  mutating func take(_ verdict: ReviewVerdict) {
    guard let kind = reviewing else { return }
    reviewing = nil
    submitted = nil
    switch (verdict, kind) {
    case (.accepted, .passport):
      status = .selfie
      reason = ""
    case (.accepted, .selfie):
      status = .done
      reason = ""
    case (.rejected(let why), .passport):
      status = .passportPhoto
      passport = nil
      reason = AccountRecord.cut(why)
    case (.rejected(let why), .selfie):
      status = .selfie
      selfie = nil
      reason = AccountRecord.cut(why)
    }
  }

  /// A reason as the wire takes it.
  private static func cut(_ text: String) -> String {
    var result = ""
    for character in text {
      guard result.utf8.count + String(character).utf8.count <= EnrollmentLimits.reason else { break }
      result.append(character)
    }
    return result
  }
}
