public import CheckInCore

/// What a kiosk says of itself to whoever is near.
public struct Advertisement: Hashable, Sendable {
  /// The kiosk's name, for people. A transport with little room cuts it.
  public let kiosk: String
  /// Which event, shortened.
  public let event: ShortEventID

  /// An advertisement.
  public init(kiosk: String, event: ShortEventID) {
    self.kiosk = kiosk
    self.event = event
  }
}
