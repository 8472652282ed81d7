public import CheckInCore

/// What client and server of an enrollment say to each other, version 1. `Documentation/Enrollment.md` gives the bytes.
public enum EnrollmentMessage: Sendable {
  /// Server, first: who it is.
  case hello(Hello)
  /// Client, first: which of the built-in container's many holders it is.
  case opening(Opening)
  /// Client: an operation. The next comes when it was answered.
  case request(EnrollmentRequest)
  /// Server: what came of it.
  case answer(EnrollmentAnswer)
  /// Either side's last message: nothing follows.
  case goodbye

  /// The server's introduction.
  public struct Hello: Sendable {
    /// The protocol versions that the server speaks, best first. This library speaks 1.
    public let versions: [UInt64]
    /// The server's nonce.
    public let nonce: Nonce
    /// The service's name, for people.
    public let name: String
    /// The server's wall clock.
    public let time: WallTime

    /// A hello.
    public init(versions: [UInt64], nonce: Nonce, name: String, time: WallTime) {
      self.versions = versions
      self.nonce = nonce
      self.name = name
      self.time = time
    }
  }

  /// The client's first message.
  public struct Opening: Sendable {
    /// The version that the client chose from the hello.
    public let version: UInt64
    /// The client's nonce.
    public let nonce: Nonce
    /// Sixteen random bytes that this installation made for itself and shows to this server alone: codes and containers are
    /// bound to it.
    public let client: Bytes16
    /// The client's wall clock.
    public let time: WallTime

    /// An opening.
    public init(version: UInt64, nonce: Nonce, client: Bytes16, time: WallTime) {
      self.version = version
      self.nonce = nonce
      self.client = client
      self.time = time
    }
  }
}

/// The types of messages, by their numbers on the wire.
enum EnrollmentMessageType: UInt64 {
  case hello = 1
  case opening = 2
  case request = 3
  case answer = 4
  case goodbye = 8

  /// Types from here on are passed over when they are not known.
  static let firstIgnorable: UInt64 = 64
}
