internal import CheckInCore

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
  /// How many messages all numbers together get in ``smsWindow`` that are asked for from one network address: it is what keeps
  /// one client from asking for a message to everybody.
  public var smsPeerLimit = 100
  /// How many messages are sent in ``smsWindow`` at all.
  public var smsTotalLimit = 10_000
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

  /// Whether what lives so long and ends then is alive. A clock that was set back by more than a minute does not let it live
  /// longer.
  func isAlive(until end: WallTime, of lifetime: Duration, at now: WallTime) -> Bool {
    end > now && end <= now.advanced(by: lifetime + .seconds(60))
  }
}
