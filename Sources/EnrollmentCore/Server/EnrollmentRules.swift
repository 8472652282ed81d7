/// The limits and times of an enrollment server.
public struct EnrollmentRules: Hashable, Sendable {
  /// How long a code lives.
  public var codeLifetime: Duration = .seconds(300)
  /// How many wrong codes kill it.
  public var codeTries = 3
  /// How long a number waits for its next message.
  public var smsPause: Duration = .seconds(30)
  /// How many messages a number gets in ``smsWindow``.
  public var smsLimit = 5
  /// The time over which messages are counted.
  public var smsWindow: Duration = .seconds(86_400)
  /// How long the URL of a container lives.
  public var urlLifetime: Duration = .seconds(300)
  /// How many wrong PINs lock an account.
  public var pinTries = 5
  /// How large a picture may be, in bytes.
  public var pictureBytes: UInt64 = UInt64(EnrollmentLimits.picture)

  /// The values of the protocol.
  public init() {}
}
