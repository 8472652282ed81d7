package import CheckInCore

extension EnrollmentMessage {
  /// The payload of this message, in deterministic CBOR.
  ///
  /// - Throws: ``/CheckInCore/MessageError/Code/limitExceeded`` when a field is larger than version 1 allows.
  package func payload() throws(MessageError) -> [UInt8] {
    switch self {
    case .hello(let hello):
      var writer = PayloadWriter(type: EnrollmentMessageType.hello.rawValue, fields: 4)
      try writer.field(1, hello.versions, limit: EnrollmentLimits.versions)
      writer.field(2, hello.nonce.value)
      try writer.field(3, hello.name, limit: EnrollmentLimits.name)
      writer.field(4, hello.time)
      return writer.bytes
    case .opening(let opening):
      var writer = PayloadWriter(type: EnrollmentMessageType.opening.rawValue, fields: 4)
      writer.field(1, opening.version)
      writer.field(2, opening.nonce.value)
      writer.field(3, opening.client)
      writer.field(4, opening.time)
      return writer.bytes
    case .request(let request): return try request.payload()
    case .answer(let answer): return try answer.payload()
    case .goodbye: return PayloadWriter(type: EnrollmentMessageType.goodbye.rawValue, fields: 0).bytes
    }
  }
}

extension EnrollmentRequest {
  fileprivate func payload() throws(MessageError) -> [UInt8] {
    switch self {
    case .sendCode(let phone):
      var writer = try head(fields: 1)
      try writer.field(2, phone, limit: EnrollmentLimits.phone)
      return writer.bytes
    case .register(let request, let phone, let code):
      var writer = try head(fields: 3)
      try writer.field(2, phone, limit: EnrollmentLimits.phone)
      writer.field(3, request.value)
      var digits = code.digits
      defer { SecretBytes.wipe(&digits) }
      try writer.field(4, digits, limit: FourDigits.length)
      return writer.bytes
    case .fetchContainer(let url):
      var writer = try head(fields: 1)
      try writer.field(2, url, limit: EnrollmentLimits.url)
      return writer.bytes
    case .status, .ticket: return try head(fields: 0).bytes
    case .passportNumber(let number):
      var writer = try head(fields: 1)
      try writer.field(2, number, limit: EnrollmentLimits.passportNumber)
      return writer.bytes
    case .resume(let kind, let upload):
      var writer = try head(fields: 3)
      try writer.field(2, upload.digest.bytes, limit: 32)
      writer.field(3, upload.size)
      writer.field(4, kind.rawValue)
      return writer.bytes
    case .upload(_, let upload, let offset, let chunk):
      var writer = try head(fields: 4, capacity: chunk.count + 128)
      try writer.field(2, upload.digest.bytes, limit: 32)
      writer.field(3, upload.size)
      writer.field(4, offset)
      try writer.field(5, chunk, limit: EnrollmentLimits.chunk)
      return writer.bytes
    case .logIn(let token):
      var writer = try head(fields: 1)
      var bytes = token.bytes
      defer { SecretBytes.wipe(&bytes) }
      try writer.field(2, bytes, limit: EnrollmentLimits.token)
      return writer.bytes
    }
  }

  /// The beginning of every request: its type, and the operation's name.
  private func head(fields: Int, capacity: Int = 256) throws(MessageError) -> PayloadWriter {
    var writer = PayloadWriter(
      type: EnrollmentMessageType.request.rawValue, fields: fields + 1, capacity: capacity)
    try writer.field(1, operation.rawValue, limit: EnrollmentLimits.operation)
    return writer
  }
}

extension EnrollmentAnswer {
  fileprivate func payload() throws(MessageError) -> [UInt8] {
    let optional: [Bool] = [
      status != nil, reason != nil, url != nil, token != nil, container != nil, offset != nil, attemptsLeft != nil,
      retryAfter != nil, ticket != nil, name != nil,
    ]
    var writer = PayloadWriter(
      type: EnrollmentMessageType.answer.rawValue, fields: 1 + optional.count { $0 },
      capacity: 512 + (container?.count ?? 0) + (ticket?.count ?? 0))
    writer.field(1, result.rawValue)
    if let status { writer.field(2, status.rawValue) }
    if let reason { try writer.field(3, reason, limit: EnrollmentLimits.reason) }
    if let url { try writer.field(4, url, limit: EnrollmentLimits.url) }
    if let token {
      var bytes = token.bytes
      defer { SecretBytes.wipe(&bytes) }
      try writer.field(5, bytes, limit: EnrollmentLimits.token)
    }
    if let container { try writer.field(6, container, limit: EnrollmentLimits.container) }
    if let offset { writer.field(7, offset) }
    if let attemptsLeft { writer.field(8, attemptsLeft) }
    if let retryAfter { try writer.field(9, seconds: retryAfter) }
    if let ticket { try writer.field(10, ticket, limit: MessageLimits.token) }
    if let name { try writer.field(11, name, limit: EnrollmentLimits.name) }
    return writer.bytes
  }
}
