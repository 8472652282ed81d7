/// One attempt to check in, as it is kept.
public struct LedgerEntry: Hashable, Sendable {
  /// The organizer's identifier of the attendee.
  public let attendee: String
  /// SHA-256 of the token.
  public let token: Digest
  /// The phone's identifier of the attempt.
  public let request: RequestID
  /// The gate.
  public let gate: String
  /// The kiosk's name.
  public let kiosk: String
  /// When, by the kiosk's wall clock.
  public let time: WallTime

  /// An entry.
  public init(
    attendee: String, token: Digest, request: RequestID, gate: String, kiosk: String, time: WallTime
  ) {
    self.attendee = attendee
    self.token = token
    self.request = request
    self.gate = gate
    self.kiosk = kiosk
    self.time = time
  }
}
