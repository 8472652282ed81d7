public import CheckInCore

/// What is kept of a client that has given a right code: its container, until that was fetched.
public struct RegistrationRecord: Hashable, Sendable {
  /// A hash of the client's identifier.
  public var client: Digest
  /// The request that is answered: the same one again gets the same answer.
  public var request: RequestID
  /// The phone number.
  public var number: String
  /// The account.
  public var account: String
  /// The last part of the container's URL.
  public var path: String
  /// The token; empty once the container was fetched.
  public var token: [UInt8]
  /// The container; empty before it is made, and once it was fetched.
  public var container: [UInt8]
  /// When the URL dies.
  public var expires: WallTime
  /// Whether the container was given out: then it is given out no more, and this client may not come with the built-in one.
  public var isFetched: Bool

  /// A record.
  public init(
    client: Digest, request: RequestID, number: String, account: String, path: String, token: [UInt8],
    container: [UInt8] = [], expires: WallTime, isFetched: Bool = false
  ) {
    self.client = client
    self.request = request
    self.number = number
    self.account = account
    self.path = path
    self.token = token
    self.container = container
    self.expires = expires
    self.isFetched = isFetched
  }
}
