extension Message {
  /// Reads a payload.
  ///
  /// - Returns: nil for a type from 64 on that this version does not know.
  /// - Throws: ``MessageError``, all but a bad signature.
  package init?(payload: [UInt8]) throws(MessageError) {
    var reader = try PayloadReader(payload)
    guard try reader.nextKey() == 0 else {
      throw MessageError(.invalidField, "A message does not say what it is: the key 0 is missing.")
    }
    let number = try reader.unsigned()
    guard let type = MessageType(rawValue: number) else {
      guard number >= MessageType.firstIgnorable else {
        throw MessageError(.unknownType, "This version does not know messages of the type \(number).")
      }
      return nil
    }
    switch type {
    case .hello: self = .hello(try Hello(&reader))
    case .initialRequest: self = .initialRequest(try InitialRequest(&reader))
    case .pin: self = .pin(try PINMessage(&reader))
    case .checkInRequest: self = .checkInRequest(try CheckInRequest(&reader))
    case .result: self = .result(try Result(&reader))
    case .notice: self = .notice(try Notice(&reader))
    case .cancel:
      try Message.ignoreAll(&reader)
      self = .cancel
    case .goodbye:
      try Message.ignoreAll(&reader)
      self = .goodbye
    }
  }

  private static func ignoreAll(_ reader: inout PayloadReader) throws(MessageError) {
    while try reader.nextKey() != nil {
      try reader.ignore()
    }
  }

  fileprivate static func missing(_ what: String) -> MessageError {
    MessageError(.invalidField, "A field is missing in the \(what).")
  }
}

extension Message.Hello {
  fileprivate init(_ reader: inout PayloadReader) throws(MessageError) {
    var versions: [UInt64]?
    var session, nonce: Bytes16?
    var credential: [UInt8]?
    var authenticators: [String]?
    var gate: String?
    var time: WallTime?
    while let key = try reader.nextKey() {
      switch key {
      case 1:
        let count = try reader.arrayHead(limit: MessageLimits.versions)
        guard count > 0 else { throw reader.invalid }
        var list: [UInt64] = []
        for _ in 0..<count {
          list.append(try reader.unsigned())
        }
        versions = list
      case 2: session = try reader.bytes16()
      case 3: nonce = try reader.bytes16()
      case 4: credential = try reader.bytes(limit: MessageLimits.credential)
      case 5:
        let count = try reader.arrayHead(limit: MessageLimits.authenticators)
        var list: [String] = []
        for _ in 0..<count {
          list.append(try reader.text(limit: MessageLimits.authenticatorName))
        }
        authenticators = list
      case 6: gate = try reader.text(limit: MessageLimits.gate)
      case 7: time = try reader.time()
      default: try reader.ignore()
      }
    }
    guard let versions, let session, let nonce, let credential, let authenticators, let gate, let time else {
      throw Message.missing("hello")
    }
    self.init(
      versions: versions, session: SessionID(session), nonce: Nonce(nonce), credential: credential,
      authenticators: authenticators, gate: gate, time: time)
  }
}

extension Message.InitialRequest {
  fileprivate init(_ reader: inout PayloadReader) throws(MessageError) {
    var version: UInt64?
    var request, nonce: Bytes16?
    var token: [UInt8]?
    var time: WallTime?
    while let key = try reader.nextKey() {
      switch key {
      case 1: version = try reader.unsigned()
      case 2: request = try reader.bytes16()
      case 3: nonce = try reader.bytes16()
      case 4: token = try reader.bytes(limit: MessageLimits.token)
      case 5: time = try reader.time()
      default: try reader.ignore()
      }
    }
    guard let version, let request, let nonce, let token, let time else { throw Message.missing("initial request") }
    self.init(version: version, request: RequestID(request), nonce: Nonce(nonce), token: token, time: time)
  }
}

extension Message.PINMessage {
  fileprivate init(_ reader: inout PayloadReader) throws(MessageError) {
    var pin: PIN?
    var lifetime: Duration?
    var attemptsLeft: UInt64?
    while let key = try reader.nextKey() {
      switch key {
      case 1: pin = try reader.pin()
      case 2: lifetime = try reader.seconds()
      case 3: attemptsLeft = try reader.unsigned()
      default: try reader.ignore()
      }
    }
    guard let pin, let lifetime, let attemptsLeft else { throw Message.missing("PIN message") }
    self.init(pin: pin, lifetime: lifetime, attemptsLeft: attemptsLeft)
  }
}

extension Message.CheckInRequest {
  fileprivate init(_ reader: inout PayloadReader) throws(MessageError) {
    var request: Bytes16?
    var pin: PIN?
    var authenticator: String?
    var evidence: [UInt8]?
    while let key = try reader.nextKey() {
      switch key {
      case 1: request = try reader.bytes16()
      case 2: pin = try reader.pin()
      case 3: authenticator = try reader.text(limit: MessageLimits.authenticatorName)
      case 4: evidence = try reader.bytes(limit: MessageLimits.evidence)
      default: try reader.ignore()
      }
    }
    guard let request, let pin, let authenticator, let evidence else { throw Message.missing("check-in request") }
    self.init(request: RequestID(request), pin: pin, authenticator: authenticator, evidence: evidence)
  }
}

extension Message.Result {
  fileprivate init(_ reader: inout PayloadReader) throws(MessageError) {
    var request: Bytes16?
    var success: Bool?
    var reason: Reason?
    var admittedAt: WallTime?
    var gate: String?
    var retryAfter: Duration?
    while let key = try reader.nextKey() {
      switch key {
      case 1: request = try reader.bytes16()
      case 2: success = try reader.bool()
      case 3:
        reason = Reason(rawValue: UInt8(try reader.unsigned(limit: 255)))
        guard reason != nil else { throw reader.invalid }
      case 4: admittedAt = try reader.time()
      case 5: gate = try reader.text(limit: MessageLimits.gate)
      case 6: retryAfter = try reader.seconds()
      default: try reader.ignore()
      }
    }
    guard let request, let success, let reason else { throw Message.missing("result") }
    let answer = Answer(reason, admittedAt: admittedAt, gate: gate, retryAfter: retryAfter)
    guard answer.isSuccess == success else {
      throw MessageError(.invalidField, "A result says success and gives a reason against it, or the other way round.")
    }
    self.init(request: RequestID(request), answer: answer)
  }
}

extension Message.Notice {
  fileprivate init(_ reader: inout PayloadReader) throws(MessageError) {
    var code: NoticeCode?
    var number: UInt64?
    while let key = try reader.nextKey() {
      switch key {
      case 1:
        code = NoticeCode(rawValue: try reader.unsigned())
        guard code != nil else { throw reader.invalid }
      case 2: number = try reader.unsigned()
      default: try reader.ignore()
      }
    }
    switch (code, number) {
    case (.waiting, let number?): self = .waiting(ahead: number)
    case (.onScreen, _): self = .onScreen
    case (.wrongPIN, let number?): self = .wrongPIN(attemptsLeft: number)
    case (.confirmationFailed, let number?): self = .confirmationFailed(attemptsLeft: number)
    default: throw Message.missing("notice")
    }
  }
}
