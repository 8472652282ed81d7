public import CheckInCore

/// The course of one person's enrollment on the client's side: a state machine that does nothing by itself.
///
/// Screens, questions and requests are actions; taps, digits and answers are inputs. Hand in what happens, in order and
/// from one place at a time, and carry out the actions that come back, in their order. Whatever the server answers, it goes
/// on with actions; an input that has no meaning where the session is does nothing.
public struct EnrollmentSession<Crypto: Cryptography>: ~Copyable, Sendable {
  enum State {
    case idle
    case at(EnrollmentStep)
    case asking(EnrollmentDialog, yes: EnrollmentStep, no: EnrollmentStep)
    case ended
  }

  let settings: EnrollmentSettings
  let cryptography: Crypto
  var state = State.idle
  var isLoggedIn = false

  /// A session.
  public init(settings: EnrollmentSettings = EnrollmentSettings(), cryptography: Crypto) {
    self.settings = settings
    self.cryptography = cryptography
  }

  /// Whether the session is over: its last action was ``EnrollmentAction/finish(_:)``.
  public var isEnded: Bool {
    if case .ended = state { true } else { false }
  }

  /// Takes one input and answers what to do.
  ///
  /// - Precondition: ``EnrollmentInput/start(_:)`` comes first and once.
  public mutating func handle(_ input: EnrollmentInput) -> [EnrollmentAction] {
    var out: [EnrollmentAction] = []
    switch (input, state) {
    case (.start(let progress), .idle): begin(progress, &out)
    case (.start, _): preconditionFailure("a session is started once")
    case (_, .idle): preconditionFailure("a session is started before anything else")
    case (_, .ended): break
    case (.cancel, _):
      stopWaiting(&out)
      finish(.stopped, &out)
    case (.dialog(let answer), .asking(_, let yes, let no)): go(answer ? yes : no, &out)
    case (_, .asking): break
    case (.answered(let answer), .at(let step)) where step.operation != nil:
      out.append(.stopTimer(.answer))
      if let operation = step.operation { out.append(.report(.answered(operation, answer.result, answer.status))) }
      answered(answer, at: step, &out)
    case (.failed(let failure), .at(let step)) where step.operation != nil: failed(failure, at: step, &out)
    case (.timerFired(.answer), .at(let step)):
      guard let operation = step.operation else { break }
      out.append(.abandonRequest)
      out.append(.report(.timedOut(operation)))
      lost(at: step, &out)
    case (.timerFired(.processing), .at(.pause(let count))): go(.check(count: count + 1), &out)
    case (_, .at(let step)): person(input, at: step, &out)
    }
    return out
  }

  private mutating func begin(_ progress: EnrollmentProgress, _ out: inout [EnrollmentAction]) {
    switch progress {
    case .fresh: go(.phone, &out)
    case .codeSent(let phone): go(.code(phone: phone, digits: .none), &out)
    case .registering(let phone, let request, let code):
      go(.register(phone: phone, request: request, code: code), &out)
    case .granted(let url, let token): go(.fetch(url: url, token: token), &out)
    case .enrolled: go(.check(count: 0), &out)
    case .sealed: go(.login(digits: .none), &out)
    }
  }

  /// Goes to a step: shows what belongs to it, and begins what it waits for.
  mutating func go(_ step: EnrollmentStep, _ out: inout [EnrollmentAction]) {
    state = .at(step)
    switch step {
    case .phone: out.append(.show(.phone))
    case .sendCode(let phone): ask(.sendCode(phone: phone), .sendCode, &out)
    case .code(let phone, let digits): out.append(.show(.code(phone: phone, entered: digits.count)))
    case .register(let phone, let request, let code):
      out.append(.save(.registering(phone: phone, request: request, code: code)))
      ask(.register(request: request, phone: phone, code: code), .register, &out)
    case .fetch(let url, _): ask(.fetchContainer(url: url), .fetchContainer, &out)
    case .check(let count):
      ask(.status, .status, showing: count > 0 ? .processing : .waiting(.status), &out)
    case .pause:
      out.append(.show(.processing))
      out.append(.startTimer(.processing, settings.processingPause))
    case .passportNumber: out.append(.show(.passportNumber))
    case .sendNumber(let number): ask(.passportNumber(number.text), .passportNumber, &out)
    case .camera(let kind, let reason):
      out.append(.show(.camera(kind, reason: reason)))
      out.append(.takePicture(kind))
    case .resume(let picture):
      ask(
        .resume(picture.kind, picture.upload), .resume,
        showing: .uploading(picture.kind, sent: 0, of: picture.upload.size), &out)
    case .upload(let picture, let end): sendPiece(of: picture, from: end, &out)
    case .choosePIN(let first, let digits):
      out.append(.show(.choosePIN(entered: digits.count, again: first != nil)))
    case .sealing, .releasing: break
    case .login(let digits): out.append(.show(.login(entered: digits.count)))
    case .logIn(let token): ask(.logIn(token: token), .logIn, &out)
    case .stop: finish(.stopped, &out)
    case .forget:
      out.append(.forget)
      go(.phone, &out)
    }
  }

  /// Sends the piece that begins at `offset`, and waits for word of where it ends.
  private mutating func sendPiece(of picture: OutgoingPicture, from offset: Int, _ out: inout [EnrollmentAction]) {
    let end = min(offset + settings.chunk, picture.bytes.count)
    state = .at(.upload(picture, end: end))
    let operation: EnrollmentOperation = picture.kind == .passport ? .passport : .selfie
    ask(
      .upload(picture.kind, picture.upload, offset: UInt64(offset), chunk: Array(picture.bytes[offset..<end])),
      operation,
      showing: .uploading(picture.kind, sent: UInt64(offset), of: picture.upload.size), &out)
  }

  private func ask(
    _ request: EnrollmentRequest, _ operation: EnrollmentOperation, showing screen: EnrollmentScreen? = nil,
    _ out: inout [EnrollmentAction]
  ) {
    out.append(.show(screen ?? .waiting(operation)))
    out.append(.report(.asked(operation)))
    out.append(.request(request))
    out.append(.startTimer(.answer, settings.answerWait))
  }

  /// Asks the person, and remembers where yes and no lead.
  mutating func ask(
    _ dialog: EnrollmentDialog, yes: EnrollmentStep, no: EnrollmentStep = .stop, _ out: inout [EnrollmentAction]
  ) {
    state = .asking(dialog, yes: yes, no: no)
    out.append(.ask(dialog))
  }

  mutating func finish(_ outcome: EnrollmentOutcome, _ out: inout [EnrollmentAction]) {
    out.append(.finish(outcome))
    state = .ended
  }

  private mutating func stopWaiting(_ out: inout [EnrollmentAction]) {
    if case .at(let step) = state, step.operation != nil { out.append(.abandonRequest) }
  }

  private mutating func failed(
    _ failure: EnrollmentFailure, at step: EnrollmentStep, _ out: inout [EnrollmentAction]
  ) {
    out.append(.stopTimer(.answer))
    if let operation = step.operation { out.append(.report(.failed(operation, failure))) }
    switch failure {
    case .connection: lost(at: step, &out)
    case .certificateRefused: finish(.certificateRefused, &out)
    case .containerLocked: ask(.wrongPIN(attemptsLeft: nil), yes: .login(digits: .none), &out)
    case .fault(let fault): finish(.fault(fault), &out)
    }
  }

  /// No answer came. The same is asked again if the person wants it; a picture goes on from where the server has it.
  private mutating func lost(at step: EnrollmentStep, _ out: inout [EnrollmentAction]) {
    switch step {
    case .register(let phone, _, _): ask(.sendAgain, yes: step, no: .code(phone: phone, digits: .none), &out)
    case .upload(let picture, _): ask(.tryAgain, yes: .resume(picture), &out)
    default: ask(.tryAgain, yes: step, &out)
    }
  }
}
