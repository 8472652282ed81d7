/// One numbered requirement on who writes a transport, or on the message channel above it.
///
/// The texts are those of the documentation of `Transport`, `Listener`, `Connection`, `MessageChannel`,
/// `DiscoverableTransport`, `Advertiser` and `Browser` in `CheckIn`; a test holds them together.
public struct Requirement: Hashable, Sendable, Identifiable {
  /// The number, such as `C7`.
  public let id: String
  /// What is required.
  public let text: String

  /// Every requirement: T of a transport, L of a listener, C of a connection, M of the message channel; V of discovery, A of
  /// an advertiser, B of a browser.
  public static let all: [Requirement] =
    transport + listener + connection + channel + discovery + advertiser + browser

  /// The requirement of that number, in capitals.
  public static func named(_ id: String) -> Requirement? {
    all.first { $0.id == id }
  }

  init(_ id: String, _ text: String) {
    self.id = id
    self.text = text
  }
}

extension Requirement: CustomStringConvertible {
  /// Number and text.
  public var description: String { "\(id): \(text)" }
}
