/// The authenticators that a kiosk accepts, best first: a value, made from a list.
public struct AuthenticatorRegistry: Sendable {
  /// The most that a hello may list.
  public static let largestCount = 16
  /// The longest name, in UTF-8 bytes.
  public static let longestName = 64

  /// The verifiers, best first.
  public let verifiers: [any AuthenticatorVerifier]

  /// A registry.
  ///
  /// - Throws: ``AuthenticatorRegistryError`` when a name stands twice or breaks the rules for names, or when there are
  ///   none or too many.
  public init(_ verifiers: [any AuthenticatorVerifier]) throws(AuthenticatorRegistryError) {
    guard !verifiers.isEmpty else {
      throw AuthenticatorRegistryError(
        .empty, "No authenticator was given, so nobody could confirm. Give at least one.")
    }
    guard verifiers.count <= AuthenticatorRegistry.largestCount else {
      throw AuthenticatorRegistryError(
        .tooMany,
        "\(verifiers.count) authenticators were given; a kiosk can offer \(AuthenticatorRegistry.largestCount).")
    }
    var names: Set<String> = []
    for verifier in verifiers {
      let name = verifier.name
      guard AuthenticatorRegistry.isName(name) else {
        throw AuthenticatorRegistryError(
          .name,
          """
          “\(name.prefix(80))” cannot be the name of an authenticator. Use a-z, 0-9 and “-”, at most \
          \(AuthenticatorRegistry.longestName) characters.
          """)
      }
      guard names.insert(name).inserted else {
        throw AuthenticatorRegistryError(
          .duplicate, "The authenticator “\(name)” was given twice. Leave one of them out.")
      }
    }
    self.verifiers = verifiers
  }

  /// The names, best first, as the hello lists them.
  public var names: [String] { verifiers.map(\.name) }

  /// The verifier with exactly this name, or nil: what the kiosk did not offer nobody can pick (R14).
  public func verifier(named name: String) -> (any AuthenticatorVerifier)? {
    verifiers.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= longestName
      && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
  }
}

/// A list of authenticators makes no registry.
public struct AuthenticatorRegistryError: Error, Sendable, CustomStringConvertible {
  /// The kinds of failure. New ones may come: switch with a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, stable.
    public let description: String

    private init(_ name: String) {
      description = name
    }

    /// There is none.
    public static let empty = Code("empty")
    /// There are more than a hello may list.
    public static let tooMany = Code("too_many")
    /// A name breaks the rules for names.
    public static let name = Code("name")
    /// A name stands twice.
    public static let duplicate = Code("duplicate")
  }

  /// Which kind of failure.
  public let code: Code
  /// What happened, to what, what to do.
  public let message: String
  /// What lay beneath, where something did.
  public let cause: (any Error)?

  /// An error.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message with its code.
  public var description: String { "\(message) (\(code))" }
}
