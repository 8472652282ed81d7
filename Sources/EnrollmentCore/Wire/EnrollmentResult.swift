/// What came of a request. Stable: the number is on the wire, the name in JSON and logs.
public enum EnrollmentResult: UInt64, Error, Hashable, Sendable, CaseIterable {
  /// It was done.
  case done = 0
  /// The digits were not those of the SMS; the answer says how many tries are left.
  case wrongCode = 1
  /// The code's five minutes were over.
  case codeExpired = 2
  /// There is no live code: none was asked for, three were wrong, or it was used.
  case noCode = 3
  /// Too many messages to this number; the answer says how long to wait.
  case wait = 4
  /// A value is not one that can be: a phone or passport number.
  case invalid = 5
  /// The container at that URL was fetched before, or its time is over, or it is another client's.
  case gone = 6
  /// This certificate opens other operations than this one.
  case notAllowed = 7
  /// This client has a container of its own, and may not come with the built-in one any more.
  case usePersonal = 8
  /// The enrollment is at another step.
  case notNow = 9
  /// The picture has more bytes or points than are taken.
  case tooLarge = 10
  /// What was sent is no JPEG picture.
  case notAPicture = 11
  /// The bytes are not those that the hash is of: all of them are to be sent again.
  case damaged = 12
  /// The bytes begin at another place than the server has them up to; the answer says which.
  case wrongOffset = 13
  /// The PIN was wrong; the answer says how many tries are left.
  case wrongPIN = 14
  /// Too many wrong PINs: only the organizer can open the account again.
  case locked = 15
  /// The account has a PIN; log in first.
  case logInFirst = 16
  /// The server could not do its work.
  case `internal` = 17
  /// The message could not be sent.
  case smsFailed = 18
  /// Somebody has registered this phone number again: this container is worth nothing any more.
  case replaced = 19

  /// The name in JSON, logs and documentation.
  public var name: String {
    switch self {
    case .done: "done"
    case .wrongCode: "wrong_code"
    case .codeExpired: "code_expired"
    case .noCode: "no_code"
    case .wait: "wait"
    case .invalid: "invalid"
    case .gone: "gone"
    case .notAllowed: "not_allowed"
    case .usePersonal: "use_personal"
    case .notNow: "not_now"
    case .tooLarge: "too_large"
    case .notAPicture: "not_a_picture"
    case .damaged: "damaged"
    case .wrongOffset: "wrong_offset"
    case .wrongPIN: "wrong_pin"
    case .locked: "locked"
    case .logInFirst: "log_in_first"
    case .internal: "internal"
    case .smsFailed: "sms_failed"
    case .replaced: "replaced"
    }
  }

  /// One short sentence for people.
  public var text: String {
    switch self {
    case .done: "Done."
    case .wrongCode: "That code is not right."
    case .codeExpired: "The code has expired. Ask for a new one."
    case .noCode: "This code does not count any more. Ask for a new one."
    case .wait: "Please wait before you ask for another message."
    case .invalid: "The server does not take this value."
    case .gone: "The container was fetched already, or its time is over. Please register again."
    case .notAllowed: "The server does not allow this with the certificate that was shown."
    case .usePersonal: "This phone has a container of its own and must use it."
    case .notNow: "The server expects another step now."
    case .tooLarge: "The picture is too large."
    case .notAPicture: "This is not a JPEG picture that can be used, or it is damaged or too small."
    case .damaged: "The picture arrived damaged and has to be sent again."
    case .wrongOffset: "The server has another part of the picture."
    case .wrongPIN: "That PIN is not right."
    case .locked: "The account is locked. Please ask the organizer."
    case .logInFirst: "Please log in first."
    case .internal: "The server has a problem. Please try again later."
    case .smsFailed: "The message could not be sent. Please try again."
    case .replaced: "This phone number was registered anew elsewhere. Please register again."
    }
  }
}
