public import CheckInCore

/// What is kept of a phone number: the code that is live for it, and when messages went to it.
public struct NumberRecord: Hashable, Sendable {
  /// The number, in E.164.
  public var number: String
  /// A hash of the identifier of the client that asked for the code: nobody else can use it.
  public var client: Digest
  /// Random bytes that were hashed with the code.
  public var salt: [UInt8]
  /// SHA-256 of salt and code. It hides the code from a glance, not from somebody who has the file: there are 10,000.
  public var code: Digest
  /// When the code dies.
  public var expires: WallTime
  /// How many wrong codes are allowed still; zero: the code is dead, or was used.
  public var triesLeft: Int
  /// When messages went to the number lately, oldest first.
  public var sent: [WallTime]

  /// A record.
  public init(
    number: String, client: Digest, salt: [UInt8], code: Digest, expires: WallTime, triesLeft: Int, sent: [WallTime]
  ) {
    self.number = number
    self.client = client
    self.salt = salt
    self.code = code
    self.expires = expires
    self.triesLeft = triesLeft
    self.sent = sent
  }
}
