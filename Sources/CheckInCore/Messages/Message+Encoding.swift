extension Message {
  /// The payload of this message, in deterministic CBOR.
  ///
  /// - Throws: ``MessageError/Code/limitExceeded`` or ``MessageError/Code/invalidField`` when a field is not what
  ///   version 1 allows.
  package func payload() throws(MessageError) -> [UInt8] {
    switch self {
    case .hello(let hello): return try hello.payload()
    case .initialRequest(let request): return try request.payload()
    case .pin(let message): return try message.payload()
    case .checkInRequest(let request): return try request.payload()
    case .result(let result): return try result.payload()
    case .notice(let notice): return notice.payload()
    case .cancel: return PayloadWriter(.cancel, fields: 0).bytes
    case .goodbye: return PayloadWriter(.goodbye, fields: 0).bytes
    }
  }
}

extension Message.Hello {
  fileprivate func payload() throws(MessageError) -> [UInt8] {
    guard !versions.isEmpty else {
      throw MessageError(.invalidField, "A hello must offer a version.")
    }
    var writer = PayloadWriter(.hello, fields: 7, capacity: credential.count + 512)
    try writer.field(1, versions, limit: MessageLimits.versions)
    writer.field(2, session.value)
    writer.field(3, nonce.value)
    try writer.field(4, credential, limit: MessageLimits.credential)
    try writer.field(
      5, authenticators, limit: MessageLimits.authenticators, textLimit: MessageLimits.authenticatorName)
    try writer.field(6, gate, limit: MessageLimits.gate)
    writer.field(7, time)
    return writer.bytes
  }
}

extension Message.InitialRequest {
  fileprivate func payload() throws(MessageError) -> [UInt8] {
    var writer = PayloadWriter(.initialRequest, fields: 5, capacity: token.count + 128)
    writer.field(1, version)
    writer.field(2, request.value)
    writer.field(3, nonce.value)
    try writer.field(4, token, limit: MessageLimits.token)
    writer.field(5, time)
    return writer.bytes
  }
}

extension Message.PINMessage {
  fileprivate func payload() throws(MessageError) -> [UInt8] {
    var writer = PayloadWriter(.pin, fields: 3)
    writer.field(1, pin)
    try writer.field(2, seconds: lifetime)
    writer.field(3, attemptsLeft)
    return writer.bytes
  }
}

extension Message.CheckInRequest {
  fileprivate func payload() throws(MessageError) -> [UInt8] {
    var writer = PayloadWriter(.checkInRequest, fields: 4, capacity: evidence.count + 256)
    writer.field(1, request.value)
    writer.field(2, pin)
    try writer.field(3, authenticator, limit: MessageLimits.authenticatorName)
    try writer.field(4, evidence, limit: MessageLimits.evidence)
    return writer.bytes
  }
}

extension Message.Result {
  fileprivate func payload() throws(MessageError) -> [UInt8] {
    var fields = 3
    if answer.admittedAt != nil { fields += 1 }
    if answer.gate != nil { fields += 1 }
    if answer.retryAfter != nil { fields += 1 }
    var writer = PayloadWriter(.result, fields: fields, capacity: 256)
    writer.field(1, request.value)
    writer.field(2, answer.isSuccess)
    writer.field(3, UInt64(answer.reason.rawValue))
    if let time = answer.admittedAt { writer.field(4, time) }
    if let gate = answer.gate { try writer.field(5, gate, limit: MessageLimits.gate) }
    if let wait = answer.retryAfter { try writer.field(6, seconds: wait) }
    return writer.bytes
  }
}

extension Message.Notice {
  fileprivate func payload() -> [UInt8] {
    switch self {
    case .waiting(let ahead): payload(.waiting, ahead)
    case .onScreen: payload(.onScreen, nil)
    case .wrongPIN(let left): payload(.wrongPIN, left)
    case .confirmationFailed(let left): payload(.confirmationFailed, left)
    }
  }

  private func payload(_ code: NoticeCode, _ number: UInt64?) -> [UInt8] {
    var writer = PayloadWriter(.notice, fields: number == nil ? 1 : 2)
    writer.field(1, code.rawValue)
    if let number { writer.field(2, number) }
    return writer.bytes
  }
}
