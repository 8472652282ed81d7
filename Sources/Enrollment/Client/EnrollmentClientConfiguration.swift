public import CheckIn
public import CheckInCore
public import EnrollmentCore

/// All that a client is made of. Every part can be another.
public struct EnrollmentClientConfiguration: Sendable {
  /// Keeps progress, container and token.
  public var vault: any EnrollmentVault
  /// Connects to the server.
  public var dialler: any EnrollmentDialler
  /// Takes pictures.
  public var camera: any EnrollmentCamera
  /// Shows the screens, and asks.
  public var display: any EnrollmentDisplay
  /// Hashes, verifies and draws random bytes.
  public var cryptography: any Cryptography
  /// Takes what happens.
  public var observer: (any EnrollmentObserver)?
  /// The bounds of the session.
  public var settings = EnrollmentSettings()
  /// The time.
  public var clock: any CheckInClock = SystemClock()

  /// A client's parts; the rest can be set afterwards.
  public init(
    vault: any EnrollmentVault, dialler: any EnrollmentDialler, camera: any EnrollmentCamera,
    display: any EnrollmentDisplay, cryptography: any Cryptography, observer: (any EnrollmentObserver)? = nil
  ) {
    self.vault = vault
    self.dialler = dialler
    self.camera = camera
    self.display = display
    self.cryptography = cryptography
    self.observer = observer
  }
}

/// Which of its two identities a client shows.
public enum EnrollmentIdentity: Sendable {
  /// The built-in container, for the operations of a registration.
  case installation
  /// The downloaded container, for everything else; the token where it is at hand.
  case personal(token: SecretBytes?)

  var isPersonal: Bool {
    if case .personal = self { true } else { false }
  }
}

/// Opens connections to the server.
public protocol EnrollmentDialler: Sendable {
  /// Opens a connection with that identity. It ends by itself in bounded time.
  func dial(_ identity: EnrollmentIdentity) async throws(EnrollmentDialError) -> EnrollmentDialled
}

/// An open connection, and the keys at its two ends.
public struct EnrollmentDialled: Sendable {
  /// The connection.
  public let connection: any Connection
  /// The key of our certificate.
  public let key: any SigningKey
  /// The key of the server's.
  public let serverKey: PublicKey

  /// A connection.
  public init(connection: any Connection, key: any SigningKey, serverKey: PublicKey) {
    self.connection = connection
    self.key = key
    self.serverKey = serverKey
  }
}

/// There is no connection.
public struct EnrollmentDialError: Error, Sendable {
  /// What that means for the session.
  public let failure: EnrollmentFailure
  /// What happened, to what, what to do: for people.
  public let message: String

  /// An error with its explanation.
  public init(_ failure: EnrollmentFailure, _ message: String) {
    self.failure = failure
    self.message = message
  }
}

/// Takes pictures, and crops them to the frame.
public protocol EnrollmentCamera: Sendable {
  /// A JPEG, cropped and without metadata; or why what the camera gave will not do; nil: there is no picture any more.
  func take(_ kind: PictureKind) async -> Result<[UInt8], EnrollmentResult>?
}

/// Shows the screens. Calls come one at a time, in order, and wait for nothing.
public protocol EnrollmentDisplay: Sendable {
  /// Shows this in place of what was shown.
  func show(_ screen: EnrollmentScreen)
  /// Asks this over what is shown.
  func ask(_ dialog: EnrollmentDialog)
}

/// Takes what happens at a client. Calls come one at a time, in order, and wait for nothing.
public protocol EnrollmentObserver: Sendable {
  /// Something happened.
  func observe(_ report: EnrollmentReport, at time: WallTime)
}

/// What happens at a client. It holds no phone number, code, token or PIN.
public enum EnrollmentReport: Sendable {
  /// A connection is open, with this identity, to the service of this name.
  case connected(remote: Endpoint, isPersonal: Bool, service: String)
  /// There is no connection, or it was lost; in words.
  case connectionFailed(EnrollmentFailure, message: String)
  /// What the session says.
  case session(EnrollmentEvent)
  /// It is over.
  case finished(EnrollmentOutcome)
}
