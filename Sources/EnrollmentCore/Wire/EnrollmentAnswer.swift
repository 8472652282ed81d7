public import CheckInCore

/// What the server answers to one request. Which parts are there follows from the operation and the result.
public struct EnrollmentAnswer: Sendable {
  /// What came of it.
  public var result: EnrollmentResult
  /// How far the enrollment is.
  public var status: EnrollmentStatus?
  /// Why a picture was not accepted, in the reviewer's words.
  public var reason: String?
  /// Where the container can be fetched, once.
  public var url: String?
  /// The token: the password of that container, and later what the PIN releases.
  public var token: SecretBytes?
  /// The container.
  public var container: [UInt8]?
  /// Up to where the server has a picture, in bytes.
  public var offset: UInt64?
  /// How many more tries there are.
  public var attemptsLeft: UInt64?
  /// How long to wait before the same is asked again.
  public var retryAfter: Duration?
  /// A ticket.
  public var ticket: [UInt8]?
  /// The person's name as it stands in the account.
  public var name: String?

  /// An answer; its other parts can be set afterwards.
  public init(_ result: EnrollmentResult, status: EnrollmentStatus? = nil) {
    self.result = result
    self.status = status
  }
}
