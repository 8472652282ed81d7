/// Names one session of one kiosk: sixteen random bytes that the kiosk makes for each connection (R12).
public struct SessionID: Hashable, Sendable {
  /// The bytes on the wire.
  public let value: Bytes16

  /// Wraps the bytes of an identifier.
  public init(_ value: Bytes16) {
    self.value = value
  }
}

/// Names one attempt of one attendee to check in: sixteen random bytes that the phone makes (R17, R18).
///
/// A phone that lost the answer asks again with the same identifier and gets the same answer. A new attempt has a
/// new one.
public struct RequestID: Hashable, Sendable {
  /// The bytes on the wire.
  public let value: Bytes16

  /// Wraps the bytes of an identifier.
  public init(_ value: Bytes16) {
    self.value = value
  }
}

/// A number used once: sixteen random bytes, fresh for each session (R12).
public struct Nonce: Hashable, Sendable {
  /// The bytes on the wire.
  public let value: Bytes16

  /// Wraps the bytes of a nonce.
  public init(_ value: Bytes16) {
    self.value = value
  }
}
