public import CheckInCore

/// The rules by which an enrollment server answers: pure, on records that are handed in. Each call is one transaction.
///
/// What takes time, such as sending a message or making a key, is an outcome: the caller does it and comes back.
public struct EnrollmentRegister<Crypto: Cryptography>: Sendable {
  /// The limits.
  public let rules: EnrollmentRules
  let review: any PictureReview
  let cryptography: Crypto

  /// A register.
  public init(rules: EnrollmentRules = EnrollmentRules(), review: any PictureReview, cryptography: Crypto) {
    self.rules = rules
    self.review = review
    self.cryptography = cryptography
  }

  /// Answers an order, or says what has to be done for it.
  ///
  /// - Parameter origin: a hash of the network address that it comes from; nil: there is none.
  public func handle(
    _ order: EnrollmentOrder, from origin: Digest? = nil, now: WallTime, in tables: inout some EnrollmentTables
  ) throws(EnrollmentStoreError) -> RegisterOutcome {
    guard case .personal(let id, let serial) = order.peer else {
      return try handleRegistration(order, origin, now, &tables)
    }
    guard !order.request.operation.isRegistration else { return .refused(.notAllowed) }
    guard var account = try tables.account(id), account.serial == serial, !account.isReplaced else {
      return .refused(.replaced)
    }
    guard !account.isLocked else { return .refused(.locked) }
    if case .logIn(let token) = order.request { return try logIn(token, &account, now, &tables) }
    guard !account.isSealed || order.isLoggedIn else { return .refused(.logInFirst) }
    switch order.request {
    case .status: return .answer(try status(&account, now, &tables))
    case .passportNumber(let number): return try passportNumber(number, &account, &tables)
    case .resume(let kind, let upload):
      if let refusal = refusal(kind, upload, account) { return .refused(refusal) }
      return .sayOffset(kind, upload, account: id)
    case .upload(let kind, let upload, let offset, let chunk):
      if let refusal = refusal(kind, upload, account) { return .refused(refusal) }
      return .takePicture(kind, upload, offset: offset, chunk: chunk, account: id)
    case .ticket:
      guard account.status == .done, account.isSealed else { return .refused(.notNow) }
      return .issueTicket(account)
    case .sendCode, .register, .fetchContainer, .logIn: return .refused(.notAllowed)
    }
  }

  private func handleRegistration(
    _ order: EnrollmentOrder, _ origin: Digest?, _ now: WallTime, _ tables: inout some EnrollmentTables
  ) throws(EnrollmentStoreError) -> RegisterOutcome {
    guard order.request.operation.isRegistration else { return .refused(.notAllowed) }
    let earlier = try tables.registration(order.client)
    guard earlier?.isFetched != true else {
      // The URL was used; and this client has its own container.
      if case .fetchContainer = order.request { return .refused(.gone) }
      return .refused(.usePersonal)
    }
    switch order.request {
    case .sendCode(let phone): return try sendCode(to: phone, order.client, origin, now, &tables)
    case .register(let request, let phone, let code):
      return try register(request, phone, code, order.client, earlier, now, &tables)
    case .fetchContainer(let url): return try fetch(url, earlier, now, &tables)
    default: return .refused(.notAllowed)
    }
  }
}

extension RegisterOutcome {
  /// An answer that says no.
  static func refused(_ result: EnrollmentResult) -> RegisterOutcome {
    .answer(EnrollmentAnswer(result))
  }
}
