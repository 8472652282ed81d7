internal import CheckInCore

/// Where a client's session is: what it waits for.
indirect enum EnrollmentStep: Sendable {
  /// The person is to type a number.
  case phone
  /// The server is to send a code.
  case sendCode(phone: String)
  /// The person, or the message, is to give the code.
  case code(phone: String, digits: TypedDigits)
  /// The server is to take the code.
  case register(phone: String, request: RequestID, code: FourDigits)
  /// The server is to give out the container.
  case fetch(url: String, token: SecretBytes)
  /// The server is to say how far it is; it was asked so often before, while it looked at a picture.
  case check(count: Int)
  /// Time is to pass before that.
  case pause(count: Int)
  /// The person is to type the passport's number.
  case passportNumber
  /// The server is to take it.
  case sendNumber(PassportNumber)
  /// The camera is to give a picture.
  case camera(PictureKind, reason: String?)
  /// The server is to say up to where it has the picture.
  case resume(OutgoingPicture)
  /// The server is to take a piece of it.
  case upload(OutgoingPicture, end: Int)
  /// The person is to choose a PIN; the first of two is known, or not.
  case choosePIN(first: FourDigits?, digits: TypedDigits)
  /// The token is to be sealed.
  case sealing
  /// The person is to type the PIN, or use face or finger.
  case login(digits: TypedDigits)
  /// The token is to be released.
  case releasing
  /// The server is to judge the token.
  case logIn(token: SecretBytes)
  /// The person has had enough.
  case stop
  /// All is forgotten, and it begins anew.
  case forget

  /// The operation that is under way; nil: none is.
  var operation: EnrollmentOperation? {
    switch self {
    case .sendCode: .sendCode
    case .register: .register
    case .fetch: .fetchContainer
    case .check: .status
    case .sendNumber: .passportNumber
    case .resume: .resume
    case .upload(let picture, _): picture.kind == .passport ? .passport : .selfie
    case .logIn: .logIn
    default: nil
    }
  }
}

/// A picture that is on its way.
struct OutgoingPicture: Sendable {
  let kind: PictureKind
  let bytes: [UInt8]
  let upload: EnrollmentRequest.Upload
  /// How often the server has sent us back: a bound against going round for ever.
  var rewinds = 0
}
