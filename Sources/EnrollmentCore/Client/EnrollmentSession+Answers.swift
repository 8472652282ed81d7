internal import CheckInCore

/// What the server answers.
extension EnrollmentSession {
  mutating func answered(_ answer: EnrollmentAnswer, at step: EnrollmentStep, _ out: inout [EnrollmentAction]) {
    if refusedAnywhere(answer, at: step, &out) { return }
    switch step {
    case .sendCode(let phone): codeWasSent(answer, phone, &out)
    case .register(let phone, _, _): registered(answer, phone, &out)
    case .fetch(_, let token): fetched(answer, token, &out)
    case .check(let count): checked(answer, count, &out)
    case .sendNumber(let number):
      if answer.result == .invalid { return ask(.invalid, yes: .passportNumber, &out) }
      if answer.result == .notNow { return go(.check(count: 0), &out) }
      guard answer.result == .done else { return problem(answer.result, .sendNumber(number), &out) }
      go(.check(count: 0), &out)
    case .resume(let picture): resumed(answer, picture, &out)
    case .upload(let picture, let end): taken(answer, picture, end, &out)
    case .logIn(let token):
      guard answer.result == .done else {
        guard answer.result == .wrongPIN else { return problem(answer.result, .logIn(token: token), &out) }
        return ask(.wrongPIN(attemptsLeft: answer.attemptsLeft ?? 0), yes: .login(digits: .none), &out)
      }
      isLoggedIn = true
      guard let status = answer.status else { return finish(.fault(.malformed), &out) }
      go(status, reason: answer.reason, name: answer.name, count: 0, &out)
    default: finish(.fault(.unexpectedMessage), &out)
    }
  }

  /// Refusals that mean the same at every step; whether it was one.
  private mutating func refusedAnywhere(
    _ answer: EnrollmentAnswer, at step: EnrollmentStep, _ out: inout [EnrollmentAction]
  ) -> Bool {
    switch answer.result {
    case .locked:
      out.append(.show(.locked))
      finish(.locked, &out)
    case .replaced, .usePersonal, .notAllowed, .gone:
      ask(.registerAgain(answer.result), yes: .forget, &out)
    case .logInFirst: go(.login(digits: .none), &out)
    case .internal:
      if case .upload(let picture, _) = step {
        problem(.internal, .resume(picture), &out)
      } else {
        problem(.internal, step, &out)
      }
    default: return false
    }
    return true
  }

  private mutating func problem(
    _ result: EnrollmentResult, _ step: EnrollmentStep, _ out: inout [EnrollmentAction]
  ) {
    ask(.serverProblem(result), yes: step, &out)
  }

  private mutating func codeWasSent(_ answer: EnrollmentAnswer, _ phone: String, _ out: inout [EnrollmentAction]) {
    switch answer.result {
    case .done:
      out.append(.save(.codeSent(phone: phone)))
      go(.code(phone: phone, digits: .none), &out)
    case .wait: ask(.wait(answer.retryAfter ?? .zero), yes: .sendCode(phone: phone), no: .phone, &out)
    case .invalid: ask(.invalid, yes: .phone, &out)
    default: problem(answer.result, .sendCode(phone: phone), &out)
    }
  }

  private mutating func registered(_ answer: EnrollmentAnswer, _ phone: String, _ out: inout [EnrollmentAction]) {
    switch answer.result {
    case .done:
      guard let url = answer.url, let token = answer.token else { return finish(.fault(.malformed), &out) }
      out.append(.save(.granted(url: url, token: token)))
      go(.fetch(url: url, token: token), &out)
    case .wrongCode:
      ask(.wrongCode(attemptsLeft: answer.attemptsLeft ?? 0), yes: .code(phone: phone, digits: .none), no: .phone, &out)
    case .noCode, .codeExpired: ask(.newCode(answer.result), yes: .sendCode(phone: phone), no: .phone, &out)
    case .invalid: ask(.invalid, yes: .phone, &out)
    default: problem(answer.result, .code(phone: phone, digits: .none), &out)
    }
  }

  private mutating func fetched(_ answer: EnrollmentAnswer, _ token: SecretBytes, _ out: inout [EnrollmentAction]) {
    guard answer.result == .done else { return ask(.registerAgain(answer.result), yes: .forget, &out) }
    guard let container = answer.container else { return finish(.fault(.malformed), &out) }
    out.append(.saveContainer(container, token: token))
    go(.check(count: 0), &out)
  }

  private mutating func checked(_ answer: EnrollmentAnswer, _ count: Int, _ out: inout [EnrollmentAction]) {
    guard answer.result == .done else { return problem(answer.result, .check(count: count), &out) }
    guard let status = answer.status else { return finish(.fault(.malformed), &out) }
    go(status, reason: answer.reason, name: answer.name, count: count, &out)
  }

  /// Goes on as the status says.
  private mutating func go(
    _ status: EnrollmentStatus, reason: String?, name: String?, count: Int, _ out: inout [EnrollmentAction]
  ) {
    switch status {
    case .passportNumber: go(.passportNumber, &out)
    case .passportPhoto: go(.camera(.passport, reason: reason), &out)
    case .selfie: go(.camera(.selfie, reason: reason), &out)
    case .processing:
      guard count + 1 < settings.processingChecks else { return ask(.takesLonger, yes: .check(count: 0), &out) }
      go(.pause(count: count), &out)
    case .done where isLoggedIn:
      out.append(.show(.account(name: name, status: status)))
      finish(.loggedIn(name: name), &out)
    case .done: go(.choosePIN(first: nil, digits: .none), &out)
    default:
      out.append(.report(.unknownStatus(status)))
      out.append(.show(.unknownStatus(status)))
      finish(.unknownStatus(status), &out)
    }
  }

  private mutating func resumed(
    _ answer: EnrollmentAnswer, _ picture: OutgoingPicture, _ out: inout [EnrollmentAction]
  ) {
    if refusedPicture(answer.result, picture, &out) { return }
    guard answer.result == .done else { return problem(answer.result, .resume(picture), &out) }
    guard let offset = answer.offset, offset <= picture.upload.size else { return finish(.fault(.malformed), &out) }
    go(.upload(picture, end: Int(offset)), &out)
  }

  private mutating func taken(
    _ answer: EnrollmentAnswer, _ picture: OutgoingPicture, _ end: Int, _ out: inout [EnrollmentAction]
  ) {
    if refusedPicture(answer.result, picture, &out) { return }
    switch answer.result {
    case .done:
      // The piece that completes the picture is answered with the status. It is asked for all the same, as after each step.
      if answer.status != nil { return go(.check(count: 0), &out) }
      guard answer.offset == UInt64(end), end < picture.bytes.count else { return finish(.fault(.malformed), &out) }
      go(.upload(picture, end: end), &out)
    case .wrongOffset, .damaged:
      var picture = picture
      picture.rewinds += 1
      guard picture.rewinds <= 3 else {
        picture.rewinds = 0
        return ask(.tryAgain, yes: .resume(picture), &out)
      }
      go(.resume(picture), &out)
    default: problem(answer.result, .resume(picture), &out)
    }
  }

  /// Refusals of a picture; whether it was one.
  private mutating func refusedPicture(
    _ result: EnrollmentResult, _ picture: OutgoingPicture, _ out: inout [EnrollmentAction]
  ) -> Bool {
    switch result {
    case .tooLarge, .notAPicture: ask(.picture(result), yes: .camera(picture.kind, reason: nil), &out)
    case .notNow: go(.check(count: 0), &out)
    default: return false
    }
    return true
  }
}
