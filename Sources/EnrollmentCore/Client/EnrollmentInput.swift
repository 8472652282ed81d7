public import CheckInCore

/// What can happen to a client's session.
public enum EnrollmentInput: Sendable {
  /// Begin where the disk says. First, and once.
  case start(EnrollmentProgress)
  /// The phone number was typed, and “send SMS” tapped.
  case sendSMS(PhoneNumber)
  /// A digit was typed, 0 to 9, into the boxes for the code or the PIN.
  case digit(UInt8)
  /// The last digit was taken back.
  case backspace
  /// The code came with the message, and nobody has to type it.
  case codeFromMessage(FourDigits)
  /// “Send a new SMS” was tapped.
  case resendSMS
  /// The passport's number was typed.
  case passportNumber(PassportNumber)
  /// Answers ``EnrollmentAction/takePicture(_:)``: a JPEG, cropped to the frame, without metadata.
  case picture([UInt8])
  /// Answers ``EnrollmentAction/takePicture(_:)``: what the camera gave is too large or no picture.
  case pictureRefused(EnrollmentResult)
  /// The control for face or fingerprint was tapped.
  case useBiometrics
  /// Answers ``EnrollmentAction/seal(_:)``, ``EnrollmentAction/unseal(_:)`` and ``EnrollmentAction/askBiometrics``: a token.
  /// Whether it is the right one only the server knows.
  case token(SecretBytes)
  /// Answers ``EnrollmentAction/askBiometrics``: no token.
  case biometricsFailed
  /// The open question was answered.
  case dialog(Bool)
  /// Answers ``EnrollmentAction/request(_:)``.
  case answered(EnrollmentAnswer)
  /// Answers ``EnrollmentAction/request(_:)``: there is no answer.
  case failed(EnrollmentFailure)
  /// A timer ran out. One that was stopped or restarted in the same instant does no harm.
  case timerFired(EnrollmentTimer)
  /// The person closes the program.
  case cancel
}

/// Why there is no answer to a request.
public enum EnrollmentFailure: Error, Hashable, Sendable {
  /// The server cannot be reached, or the connection was lost.
  case connection
  /// One side's certificate was refused: trying again does not help.
  case certificateRefused
  /// The personal container does not open with this token. Only a token that was sealed by version 0 finds that out here.
  case containerLocked
  /// The server breaks the protocol.
  case fault(SessionFault)
}

/// What a client's session wants done, in this order. ``finish(_:)`` is the last, once.
public enum EnrollmentAction: Sendable {
  /// Show this, in place of what was shown.
  case show(EnrollmentScreen)
  /// Ask this, over what is shown; answer with ``EnrollmentInput/dialog(_:)``.
  case ask(EnrollmentDialog)
  /// Ask the server; answer with ``EnrollmentInput/answered(_:)`` or ``EnrollmentInput/failed(_:)``. Operations of a registration
  /// go out with the built-in container, and no other ever does. At most one request is open.
  case request(EnrollmentRequest)
  /// Drop the open request and the connection: its answer is not wanted any more.
  case abandonRequest
  /// Keep this on the disk. The session goes on only when it is there.
  case save(EnrollmentProgress)
  /// Keep the container and the token on the disk, and the progress ``EnrollmentProgress/enrolled``.
  case saveContainer([UInt8], token: SecretBytes)
  /// Forget all that is kept, and be another client from now on.
  case forget
  /// Open the camera, crop, and answer with ``EnrollmentInput/picture(_:)`` or ``EnrollmentInput/pictureRefused(_:)``.
  case takePicture(PictureKind)
  /// Combine the token with this PIN, keep the result and the progress ``EnrollmentProgress/sealed``, delete the token;
  /// answer with it.
  case seal(FourDigits)
  /// Make the token of what is kept and this PIN; answer with it.
  case unseal(FourDigits)
  /// Let the authenticator release the token; answer with it, or ``EnrollmentInput/biometricsFailed``.
  case askBiometrics
  /// Start, or restart, a timer.
  case startTimer(EnrollmentTimer, Duration)
  /// Stop a timer, if it runs.
  case stopTimer(EnrollmentTimer)
  /// Tell the observer.
  case report(EnrollmentEvent)
  /// This is how it ended. Stop every timer.
  case finish(EnrollmentOutcome)
}

/// The timers of a client's session.
public enum EnrollmentTimer: String, Hashable, Sendable, CaseIterable {
  /// The wait for an answer.
  case answer
  /// The pause before the status is asked for again.
  case processing
}

/// The bounds of a client's session.
public struct EnrollmentSettings: Hashable, Sendable {
  /// How long an answer may take.
  public var answerWait: Duration = .seconds(15)
  /// How long to wait before the status is asked for again.
  public var processingPause: Duration = .seconds(2)
  /// How often the status is asked for while the server looks at a picture, before the person is asked whether to wait on.
  public var processingChecks = 30
  /// How many bytes of a picture go into one piece.
  public var chunk = EnrollmentLimits.chunk

  /// The protocol's values.
  public init() {}
}

/// What a client's session tells its observer. It holds no number, code, token or PIN.
public enum EnrollmentEvent: Hashable, Sendable {
  /// An operation was asked for.
  case asked(EnrollmentOperation)
  /// It was answered.
  case answered(EnrollmentOperation, EnrollmentResult, EnrollmentStatus?)
  /// It was not.
  case failed(EnrollmentOperation, EnrollmentFailure)
  /// No answer came in time.
  case timedOut(EnrollmentOperation)
  /// The server gave a status that this program does not know.
  case unknownStatus(EnrollmentStatus)
}

/// How a client's session ended.
public enum EnrollmentOutcome: Hashable, Sendable {
  /// All is proved, the PIN is set, and the person is logged in.
  case loggedIn(name: String?)
  /// The person stopped; the next start goes on from here.
  case stopped
  /// The account is locked.
  case locked
  /// The server gave a status that this program does not know.
  case unknownStatus(EnrollmentStatus)
  /// A certificate was refused.
  case certificateRefused
  /// The server breaks the protocol.
  case fault(SessionFault)

  /// The name in JSON and logs.
  public var name: String {
    switch self {
    case .loggedIn: "logged_in"
    case .stopped: "stopped"
    case .locked: "locked"
    case .unknownStatus: "unknown_status"
    case .certificateRefused: "certificate_refused"
    case .fault: "protocol_error"
    }
  }
}
