public import CheckIn
public import CheckInCore
public import EnrollmentCore

/// All that an enrollment server is made of. Every part can be another.
public struct EnrollmentServerConfiguration: Sendable {
  /// The service's name, for people.
  public var name: String
  /// The key of the server's certificate.
  public var key: any SigningKey
  /// Who has a certificate, given in DER; nil: nobody who may do anything here. The transport has judged it before.
  public var identify: @Sendable ([UInt8]) -> EnrollmentCertificateHolder?
  /// Keeps the records.
  public var store: any EnrollmentStore
  /// Keeps the pictures.
  public var pictures: any PictureStore
  /// Looks at the pictures.
  public var review: any PictureReview
  /// Sends the codes.
  public var sms: any SMSSender
  /// Makes containers and tickets.
  public var issuer: any EnrollmentIssuer
  /// Hashes, verifies and draws random bytes.
  public var cryptography: any Cryptography
  /// Takes what happens.
  public var observer: (any EnrollmentServerObserver)?
  /// The limits and times.
  public var rules = EnrollmentRules()
  /// The bounds of each session.
  public var settings = EnrollmentServerSettings()
  /// The time.
  public var clock: any CheckInClock = SystemClock()
  /// How long a client may take to accept a message before its connection counts as lost.
  public var sendBound: Duration = .seconds(10)
  /// Hashed with each phone number that is reported, so that nobody finds a number by trying all. Nil: a random one.
  public var logKey: SecretBytes?
  /// How many connections may be open; one more is closed at once.
  public var openSessions = 256
  /// How many of those one peer may have.
  public var openSessionsPerPeer = 64

  /// A server's parts; the rest can be set afterwards.
  public init(
    name: String, key: any SigningKey, identify: @escaping @Sendable ([UInt8]) -> EnrollmentCertificateHolder?,
    store: any EnrollmentStore, pictures: any PictureStore, review: any PictureReview, sms: any SMSSender,
    issuer: any EnrollmentIssuer, cryptography: any Cryptography, observer: (any EnrollmentServerObserver)? = nil
  ) {
    self.name = name
    self.key = key
    self.identify = identify
    self.store = store
    self.pictures = pictures
    self.review = review
    self.sms = sms
    self.issuer = issuer
    self.cryptography = cryptography
    self.observer = observer
  }
}

/// Who stands behind a certificate.
public struct EnrollmentCertificateHolder: Sendable {
  /// Who it is.
  public let peer: EnrollmentPeer
  /// The key of the certificate.
  public let key: PublicKey

  /// A holder.
  public init(peer: EnrollmentPeer, key: PublicKey) {
    self.peer = peer
    self.key = key
  }
}

/// Takes what happens at an enrollment server. Calls come from many tasks, and wait for nothing.
public protocol EnrollmentServerObserver: Sendable {
  /// Something happened.
  func observe(_ report: EnrollmentServerReport, at time: WallTime)
}

/// What happens at an enrollment server. It holds no phone number, code, token or PIN.
public enum EnrollmentServerReport: Sendable {
  /// It listens here.
  case listening(Endpoint)
  /// A client could not be accepted.
  case acceptFailed(Endpoint, TransportError)
  /// A listener failed for good.
  case listenerFailed(Endpoint, TransportError)
  /// A connection was closed at once, for this reason.
  case refused(from: Endpoint, reason: String)
  /// What a session of the client at this address says.
  case session(from: Endpoint, EnrollmentServerEvent)
  /// A message with a code is on its way; the number as a hash that only this server's key makes.
  case codeSent(number: String)
  /// A part failed at the work for an operation.
  case failed(EnrollmentOperation, message: String)
}
