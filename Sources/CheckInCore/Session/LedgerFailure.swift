/// One failure that counts against a token and a kiosk (R3).
public struct LedgerFailure: Hashable, Sendable {
  /// SHA-256 of the token.
  public let token: Digest
  /// The kiosk's name.
  public let kiosk: String
  /// When.
  public let time: WallTime

  /// A failure.
  public init(token: Digest, kiosk: String, time: WallTime) {
    self.token = token
    self.kiosk = kiosk
    self.time = time
  }
}
