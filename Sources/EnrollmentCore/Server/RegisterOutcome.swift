public import CheckInCore

/// What a step of the register leads to.
public enum RegisterOutcome: Sendable {
  /// This is the answer.
  case answer(EnrollmentAnswer)
  /// Send this code, then answer ``EnrollmentResult/done``; where that fails, take the code back with
  /// ``EnrollmentRegister/withdrawCode(of:from:in:)``.
  case sendCode(FourDigits, to: PhoneNumber)
  /// Make a container for the account under the token, then go on with
  /// ``EnrollmentRegister/issued(_:container:serial:now:in:)``.
  case issue(RegistrationRecord)
  /// Take the piece of a picture; when it is complete and good, go on with
  /// ``EnrollmentRegister/submitted(_:_:account:now:in:)``.
  case takePicture(PictureKind, EnrollmentRequest.Upload, offset: UInt64, chunk: [UInt8], account: String)
  /// Say up to where the picture is there.
  case sayOffset(PictureKind, EnrollmentRequest.Upload, account: String)
  /// Make a ticket for the account.
  case issueTicket(AccountRecord)
}

/// Who asks.
public enum EnrollmentPeer: Hashable, Sendable {
  /// Somebody with the built-in container.
  case installation
  /// The holder of a personal certificate.
  case personal(account: String, serial: [UInt8])
}

/// A request with all that is known of who asks.
public struct EnrollmentOrder: Sendable {
  /// What is asked.
  public let request: EnrollmentRequest
  /// Who asks.
  public let peer: EnrollmentPeer
  /// A hash of the identifier that the client made for itself.
  public let client: Digest
  /// Whether it has logged in, in this session.
  public let isLoggedIn: Bool

  /// An order.
  public init(request: EnrollmentRequest, peer: EnrollmentPeer, client: Digest, isLoggedIn: Bool) {
    self.request = request
    self.peer = peer
    self.client = client
    self.isLoggedIn = isLoggedIn
  }
}
