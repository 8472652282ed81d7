package import CheckInCore

extension EnrollmentMessage {
  /// Reads a payload.
  ///
  /// - Returns: nil for a type from 64 on that this version does not know.
  /// - Throws: ``/CheckInCore/MessageError``, all but a bad signature.
  package init?(payload: [UInt8]) throws(MessageError) {
    var reader = try PayloadReader(payload)
    guard try reader.nextKey() == 0 else {
      throw MessageError(.invalidField, "A message does not say what it is: the key 0 is missing.")
    }
    let number = try reader.unsigned()
    guard let type = EnrollmentMessageType(rawValue: number) else {
      guard number >= EnrollmentMessageType.firstIgnorable else {
        throw MessageError(.unknownType, "This version does not know messages of the type \(number).")
      }
      return nil
    }
    switch type {
    case .hello: self = .hello(try Hello(&reader))
    case .opening: self = .opening(try Opening(&reader))
    case .request: self = .request(try EnrollmentRequest(&reader))
    case .answer: self = .answer(try EnrollmentAnswer(&reader))
    case .goodbye:
      while try reader.nextKey() != nil { try reader.ignore() }
      self = .goodbye
    }
  }

  fileprivate static func missing(_ what: String) -> MessageError {
    MessageError(.invalidField, "A field is missing in the \(what).")
  }
}

extension EnrollmentMessage.Hello {
  fileprivate init(_ reader: inout PayloadReader) throws(MessageError) {
    var versions: [UInt64] = []
    var nonce: Bytes16?
    var name: String?
    var time: WallTime?
    while let key = try reader.nextKey() {
      switch key {
      case 1:
        for _ in 0..<(try reader.arrayHead(limit: EnrollmentLimits.versions)) {
          versions.append(try reader.unsigned())
        }
      case 2: nonce = try reader.bytes16()
      case 3: name = try reader.text(limit: EnrollmentLimits.name)
      case 4: time = try reader.time()
      default: try reader.ignore()
      }
    }
    guard !versions.isEmpty, let nonce, let name, let time else { throw EnrollmentMessage.missing("hello") }
    self.init(versions: versions, nonce: Nonce(nonce), name: name, time: time)
  }
}

extension EnrollmentMessage.Opening {
  fileprivate init(_ reader: inout PayloadReader) throws(MessageError) {
    var version: UInt64?
    var nonce, client: Bytes16?
    var time: WallTime?
    while let key = try reader.nextKey() {
      switch key {
      case 1: version = try reader.unsigned()
      case 2: nonce = try reader.bytes16()
      case 3: client = try reader.bytes16()
      case 4: time = try reader.time()
      default: try reader.ignore()
      }
    }
    guard let version, let nonce, let client, let time else { throw EnrollmentMessage.missing("opening") }
    self.init(version: version, nonce: Nonce(nonce), client: client, time: time)
  }
}

/// The fields that a request may have beside its operation, as they come.
private struct RequestFields {
  var text: String?
  var bytes: [UInt8]?
  var three: UInt64?
  var identifier: Bytes16?
  var four: UInt64?
  var digits: [UInt8]?
  var chunk: [UInt8]?
}

extension EnrollmentRequest {
  fileprivate init(_ reader: inout PayloadReader) throws(MessageError) {
    // Keys come in order, so the operation is known before anything else.
    guard try reader.nextKey() == 1 else { throw EnrollmentMessage.missing("request") }
    guard let operation = EnrollmentOperation(rawValue: try reader.text(limit: EnrollmentLimits.operation)) else {
      throw reader.invalid
    }
    var fields = RequestFields()
    while let key = try reader.nextKey() {
      try EnrollmentRequest.read(key, of: operation, &reader, into: &fields)
    }
    guard let request = EnrollmentRequest(operation, fields) else { throw EnrollmentMessage.missing("request") }
    self = request
  }

  private static func read(
    _ key: Int64, of operation: EnrollmentOperation, _ reader: inout PayloadReader, into fields: inout RequestFields
  ) throws(MessageError) {
    switch (key, operation) {
    case (2, .sendCode), (2, .register): fields.text = try reader.text(limit: EnrollmentLimits.phone)
    case (2, .fetchContainer): fields.text = try reader.text(limit: EnrollmentLimits.url)
    case (2, .passportNumber): fields.text = try reader.text(limit: EnrollmentLimits.passportNumber)
    case (2, .resume), (2, .passport), (2, .selfie): fields.bytes = try reader.bytes(limit: 32)
    case (2, .logIn): fields.bytes = try reader.bytes(limit: EnrollmentLimits.token)
    case (3, .register): fields.identifier = try reader.bytes16()
    case (3, .resume), (3, .passport), (3, .selfie): fields.three = try reader.unsigned()
    case (4, .register): fields.digits = try reader.bytes(limit: FourDigits.length)
    case (4, .resume), (4, .passport), (4, .selfie): fields.four = try reader.unsigned()
    case (5, .passport), (5, .selfie): fields.chunk = try reader.bytes(limit: EnrollmentLimits.chunk)
    default: try reader.ignore()
    }
  }

  private init?(_ operation: EnrollmentOperation, _ fields: RequestFields) {
    switch operation {
    case .sendCode:
      guard let phone = fields.text else { return nil }
      self = .sendCode(phone: phone)
    case .register:
      guard let phone = fields.text, let request = fields.identifier, let digits = fields.digits,
        let code = FourDigits(digits)
      else { return nil }
      self = .register(request: RequestID(request), phone: phone, code: code)
    case .fetchContainer:
      guard let url = fields.text else { return nil }
      self = .fetchContainer(url: url)
    case .status: self = .status
    case .passportNumber:
      guard let number = fields.text else { return nil }
      self = .passportNumber(number)
    case .resume:
      guard let upload = Upload(fields), let kind = fields.four.flatMap(PictureKind.init) else { return nil }
      self = .resume(kind, upload)
    case .passport, .selfie:
      guard let upload = Upload(fields), let offset = fields.four, let chunk = fields.chunk else { return nil }
      self = .upload(operation == .passport ? .passport : .selfie, upload, offset: offset, chunk: chunk)
    case .logIn:
      guard let token = fields.bytes, token.count == EnrollmentLimits.token else { return nil }
      self = .logIn(token: SecretBytes(token))
    case .ticket: self = .ticket
    }
  }
}

extension EnrollmentRequest.Upload {
  fileprivate init?(_ fields: RequestFields) {
    guard let bytes = fields.bytes, let digest = Digest(bytes), let size = fields.three else { return nil }
    self.init(digest: digest, size: size)
  }
}

extension EnrollmentAnswer {
  fileprivate init(_ reader: inout PayloadReader) throws(MessageError) {
    var result: EnrollmentResult?
    var answer = EnrollmentAnswer(.done)
    while let key = try reader.nextKey() {
      switch key {
      case 1:
        result = EnrollmentResult(rawValue: try reader.unsigned())
        guard result != nil else { throw reader.invalid }
      case 2: answer.status = EnrollmentStatus(rawValue: try reader.unsigned())
      case 3: answer.reason = try reader.text(limit: EnrollmentLimits.reason)
      case 4: answer.url = try reader.text(limit: EnrollmentLimits.url)
      case 5:
        var bytes = try reader.bytes(limit: EnrollmentLimits.token)
        defer { SecretBytes.wipe(&bytes) }
        guard bytes.count == EnrollmentLimits.token else { throw reader.invalid }
        answer.token = SecretBytes(bytes)
      case 6: answer.container = try reader.bytes(limit: EnrollmentLimits.container)
      case 7: answer.offset = try reader.unsigned()
      case 8: answer.attemptsLeft = try reader.unsigned()
      case 9: answer.retryAfter = try reader.seconds()
      case 10: answer.ticket = try reader.bytes(limit: MessageLimits.token)
      case 11: answer.name = try reader.text(limit: EnrollmentLimits.name)
      default: try reader.ignore()
      }
    }
    guard let result else { throw EnrollmentMessage.missing("answer") }
    answer.result = result
    self = answer
  }
}
