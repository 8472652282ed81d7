/// What tells one event from others in an advertisement: the first four bytes of the SHA-256 of its identifier.
///
/// It is a hint, and says nothing about who advertises: another event may have the same one, and anyone may send it. The
/// kiosk's credential proves the event later.
public struct ShortEventID: Hashable, Sendable {
  /// The four bytes, the first as the highest.
  public let rawValue: UInt32

  /// A value that was received.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The short form of an event's identifier, as tickets have it.
  public init(of event: String, cryptography: some Cryptography) {
    let digest = cryptography.sha256(Array(event.utf8).span).bytes
    rawValue = digest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The four bytes, in order.
  public var bytes: [UInt8] { rawValue.bigEndianBytes }

  /// The four bytes in hexadecimal.
  public var text: String { hexadecimal(bytes) }
}
