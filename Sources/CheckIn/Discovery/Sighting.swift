public import CheckInCore

/// A kiosk that was heard, once.
///
/// Nothing of it is proven: anyone can advertise any name and event, and a relay makes a far kiosk near. What the attendee
/// program trusts is the kiosk's credential, after it has connected.
public struct Sighting: Hashable, Sendable {
  /// What to dial, with the transport that gave the sighting.
  public let endpoint: Endpoint
  /// What is heard says that the listener speaks TLS on its connections, and the endpoint is of a transport without it. So it
  /// is not to be dialled like this: a look-out of the transport inside TLS has the endpoint for that.
  public let needsTLS: Bool
  /// The kiosk's name or its beginning; nil as long as it was not heard.
  public let kiosk: String?
  /// Which event, shortened.
  public let event: ShortEventID
  /// How strong it was; nil where the receiver does not say.
  public let signal: SignalStrength?
  /// When it was heard.
  public let time: ContinuousClock.Instant

  /// A sighting.
  public init(
    endpoint: Endpoint, needsTLS: Bool = false, kiosk: String?, event: ShortEventID, signal: SignalStrength?,
    time: ContinuousClock.Instant
  ) {
    self.endpoint = endpoint
    self.needsTLS = needsTLS
    self.kiosk = kiosk
    self.event = event
    self.signal = signal
    self.time = time
  }
}
