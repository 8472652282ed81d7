/// What went wrong between two endpoints. The same codes come from every transport.
public struct TransportError: Error, Sendable {
  /// The kinds of failure. New ones may come: switch with a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, stable, for logs and JSON.
    public let description: String

    private init(_ name: String) {
      description = name
    }

    /// The peer, or the way to it, is gone without having finished. Bytes may be missing.
    public static let lost = Code("lost")
    /// Our own side closed the connection or listener, before or during the call.
    public static let closed = Code("closed")
    /// The deadline passed. The connection still works.
    public static let timedOut = Code("timed_out")
    /// The calling task was cancelled. The connection still works.
    public static let cancelled = Code("cancelled")
    /// The peer's machine answered, and nobody listens there.
    public static let refused = Code("refused")
    /// There is no way to the address.
    public static let unreachable = Code("unreachable")
    /// A message is larger than the limit, or its stated length is.
    public static let tooLarge = Code("too_large")
    /// The peer's bytes do not follow the framing, or what carries it.
    public static let malformed = Code("malformed")
    /// A certificate was refused: the peer's by us, or ours by the peer (R23). The message says which, and why where
    /// that is known. Trying again does not help.
    public static let certificateRefused = Code("certificate_refused")
    /// Another listener has the address.
    public static let addressInUse = Code("address_in_use")
    /// The address cannot be read.
    public static let addressMalformed = Code("address_malformed")
    /// The address is not one of this machine's, or what it takes is absent here, such as Bluetooth in the kernel.
    public static let addressUnavailable = Code("address_unavailable")
    /// This transport cannot do that, on any machine; an unknown scheme is one case.
    public static let unsupported = Code("unsupported")
    /// Two transports or wrappers of one registry have the same scheme.
    public static let duplicateScheme = Code("duplicate_scheme")
    /// The system does not permit it to this program.
    public static let permissionDenied = Code("permission_denied")
    /// The system is out of descriptors or memory.
    public static let resourcesExhausted = Code("resources_exhausted")
    /// Anything else; the message says what.
    public static let other = Code("other")
  }

  /// Which kind of failure.
  public let code: Code
  /// What happened, to what, what to do: one sentence or two for people.
  public let message: String
  /// What lay beneath, where something did.
  public let cause: (any Error)?

  /// An error.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }
}

extension TransportError: CustomStringConvertible {
  /// The message with its code.
  public var description: String { "\(message) (\(code))" }
}
