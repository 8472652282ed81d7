/// What a transport can do beyond moving bytes, as it declares it.
public struct TransportCapabilities: OptionSet, Hashable, Sendable {
  /// The bits, one a capability.
  public let rawValue: UInt32

  /// A set from its bits; used by `OptionSet`.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// One direction can end while the other goes on.
  public static let halfClose = TransportCapabilities(rawValue: 1 << 0)
  /// Both ends stay inside this process, so nothing that is sent can be read on the way (R7).
  public static let insideProcess = TransportCapabilities(rawValue: 1 << 1)
  /// What is sent is encrypted, to a peer that has proved who it is (R7).
  public static let secure = TransportCapabilities(rawValue: 1 << 2)
  /// Connections have a ``Connection/channelBinding``.
  public static let channelBinding = TransportCapabilities(rawValue: 1 << 3)
  /// Port (or name, or PSM) zero at listen gets a free one (T6).
  public static let ephemeralAddress = TransportCapabilities(rawValue: 1 << 4)

  /// An ``Connection/abort()`` at one end is always told from a good end at the other (C8): it reads as
  /// ``TransportError/Code/lost``. Without this it may read as ``Reception/finished``, so the bytes themselves must
  /// say where they end, as frames and the goodbye message do.
  public static let tellsAbort = TransportCapabilities(rawValue: 1 << 5)

  /// Listeners can be found by whoever is near: the transport is a ``DiscoverableTransport``.
  public static let discovery = TransportCapabilities(rawValue: 1 << 6)

  /// The names of the capabilities in the set, for tables and JSON.
  public var names: [String] {
    let all: [(TransportCapabilities, String)] = [
      (.halfClose, "half-close"), (.insideProcess, "inside-process"), (.secure, "secure"),
      (.channelBinding, "channel-binding"), (.ephemeralAddress, "ephemeral-address"),
      (.tellsAbort, "tells-abort"), (.discovery, "discovery"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
