public import CheckInCore

/// What a client asks of the server. The names on the wire are those of the original system, or formed after them.
public enum EnrollmentRequest: Sendable {
  /// `skicka_sms`: send a code to this number.
  case sendCode(phone: String)
  /// `registera_kund`: this is the code. The identifier stays the same when the answer was lost and it is asked again.
  case register(request: RequestID, phone: String, code: FourDigits)
  /// `hamta_behallare`: give out the container at this URL, which works once.
  case fetchContainer(url: String)
  /// `kolla_statusen`: how far is it?
  case status
  /// `skicka_passnummer`: the number of the passport.
  case passportNumber(String)
  /// `fraga_uppladdning`: up to where does the server have this picture?
  case resume(PictureKind, Upload)
  /// `skicka_pass` and `skicka_selfie`: a piece of a picture. The piece that completes it hands it in.
  case upload(PictureKind, Upload, offset: UInt64, chunk: [UInt8])
  /// `logga_in`: the token, which the PIN or the biometrics released.
  case logIn(token: SecretBytes)
  /// `hamta_biljett`: a ticket for the kiosks.
  case ticket

  /// A picture that is on its way, named by its content.
  public struct Upload: Hashable, Sendable {
    /// SHA-256 of all its bytes.
    public let digest: Digest
    /// How many bytes it has.
    public let size: UInt64

    /// A picture.
    public init(digest: Digest, size: UInt64) {
      self.digest = digest
      self.size = size
    }
  }

  /// The operation that it is.
  public var operation: EnrollmentOperation {
    switch self {
    case .sendCode: .sendCode
    case .register: .register
    case .fetchContainer: .fetchContainer
    case .status: .status
    case .passportNumber: .passportNumber
    case .resume: .resume
    case .upload(.passport, _, _, _): .passport
    case .upload(.selfie, _, _, _): .selfie
    case .logIn: .logIn
    case .ticket: .ticket
    }
  }
}

/// The operations, by their names on the wire.
public enum EnrollmentOperation: String, Hashable, Sendable, CaseIterable {
  /// Ask for an SMS.
  case sendCode = "skicka_sms"
  /// Register with its code.
  case register = "registera_kund"
  /// Fetch the container.
  case fetchContainer = "hamta_behallare"
  /// Ask how far it is.
  case status = "kolla_statusen"
  /// Send the number of the passport.
  case passportNumber = "skicka_passnummer"
  /// Ask up to where a picture has arrived.
  case resume = "fraga_uppladdning"
  /// Send a piece of the passport's picture.
  case passport = "skicka_pass"
  /// Send a piece of the selfie.
  case selfie = "skicka_selfie"
  /// Log in.
  case logIn = "logga_in"
  /// Fetch a ticket.
  case ticket = "hamta_biljett"

  /// Whether it is one of the few that the built-in container opens; the personal one opens the others, and none of these.
  public var isRegistration: Bool {
    switch self {
    case .sendCode, .register, .fetchContainer: true
    default: false
    }
  }
}
