public import CheckInCore

/// What a kiosk says of itself to whoever is near.
public struct Advertisement: Hashable, Sendable {
  /// The kiosk's name, for people. A transport with little room cuts it.
  public let kiosk: String
  /// Which event, shortened.
  public let event: ShortEventID
  /// The listener speaks TLS on its connections. Whoever advertises need not say it: the wrapper does, for a listener of its.
  public var carriesTLS: Bool

  /// An advertisement.
  public init(kiosk: String, event: ShortEventID, carriesTLS: Bool = false) {
    self.kiosk = kiosk
    self.event = event
    self.carriesTLS = carriesTLS
  }
}
