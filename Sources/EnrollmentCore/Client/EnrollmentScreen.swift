/// What the screen shows.
public enum EnrollmentScreen: Hashable, Sendable {
  /// The field for the phone number, and a large control “send SMS”.
  case phone
  /// Four boxes for the code; so many digits are in.
  case code(phone: String, entered: Int)
  /// A spinner, while this operation is under way.
  case waiting(EnrollmentOperation)
  /// The field for the number of the passport.
  case passportNumber
  /// The camera, with the yellow frame for this picture; a reason when an earlier one was not accepted.
  case camera(PictureKind, reason: String?)
  /// A bar that says how much of a picture has arrived.
  case uploading(PictureKind, sent: UInt64, of: UInt64)
  /// A spinner, while somebody looks at what was sent.
  case processing
  /// Four boxes for a new PIN; `again`: for the second time.
  case choosePIN(entered: Int, again: Bool)
  /// Four boxes for the PIN, and a control for face or fingerprint.
  case login(entered: Int)
  /// All is done: the account.
  case account(name: String?, status: EnrollmentStatus)
  /// The account is locked.
  case locked
  /// The server gave a status that this program does not know.
  case unknownStatus(EnrollmentStatus)
}

/// A question that stands over the screen until it is answered with yes or no.
public enum EnrollmentDialog: Hashable, Sendable {
  /// The code went out and no answer came: send it again?
  case sendAgain
  /// The connection was lost, or is not to be had: try again?
  case tryAgain
  /// It takes longer than usual: go on waiting?
  case takesLonger
  /// The code was wrong; so many tries are left: try another?
  case wrongCode(attemptsLeft: UInt64)
  /// The code counts no more: ask for a new one?
  case newCode(EnrollmentResult)
  /// Too many messages: ask again after that time?
  case wait(Duration)
  /// The server does not take the value: type another?
  case invalid
  /// The picture will not do, for this reason: take another?
  case picture(EnrollmentResult)
  /// The container is out of reach: register again from the beginning?
  case registerAgain(EnrollmentResult)
  /// The PIN was wrong; so many tries are left, where the server has said: try another?
  case wrongPIN(attemptsLeft: UInt64?)
  /// Face or finger were not recognised: use the PIN?
  case usePIN
  /// The two PINs differ: choose again?
  case differentPINs
  /// The server has a problem: try again?
  case serverProblem(EnrollmentResult)

  /// The question in words.
  public var text: String {
    switch self {
    case .sendAgain: "Connection error. Send again?"
    case .tryAgain: "Connection problem. Try again?"
    case .takesLonger: "It takes longer than usual. You can go on later from here. Keep waiting?"
    case .wrongCode(let left): "That code is not right; \(left) \(left == 1 ? "try is" : "tries are") left. Try again?"
    case .newCode(let why): "\(why.event) Send a new SMS?"
    case .wait(let time): "Please wait \(time.components.seconds) s before the next message. Try again?"
    case .invalid: "The server does not take this. Type it again?"
    case .picture(let why): "\(why.event) Take another picture?"
    case .registerAgain(let why): "\(why.event) Begin again?"
    case .wrongPIN(let left?): "That PIN is not right; \(left) \(left == 1 ? "try is" : "tries are") left. Try again?"
    case .wrongPIN(nil): "That PIN is not right. Try again?"
    case .usePIN: "That did not work. Use the PIN?"
    case .differentPINs: "The two PINs differ. Choose again?"
    case .serverProblem(let why): "\(why.event) Try again?"
    }
  }

  /// The name in JSON and logs.
  public var name: String {
    switch self {
    case .sendAgain: "send_again"
    case .tryAgain: "try_again"
    case .takesLonger: "takes_longer"
    case .wrongCode: "wrong_code"
    case .newCode: "new_code"
    case .wait: "wait"
    case .invalid: "invalid"
    case .picture: "picture"
    case .registerAgain: "register_again"
    case .wrongPIN: "wrong_pin"
    case .usePIN: "use_pin"
    case .differentPINs: "different_pins"
    case .serverProblem: "server_problem"
    }
  }
}

extension EnrollmentResult {
  /// What happened, without the advice behind it: the question is the advice.
  fileprivate var event: String {
    String(text.prefix { $0 != "." }) + "."
  }
}
