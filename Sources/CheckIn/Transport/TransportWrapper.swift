/// Makes a new transport out of another: encryption around it, faults in it, records of it.
///
/// In a URL it stands in front of what it wraps, with a plus: `tls+tcp://…`. Wrappers nest: `fault+tls+tcp://…`.
public protocol TransportWrapper: Sendable {
  /// What stands before the plus: lower case, without a plus.
  var prefix: String { get }

  /// The transport around `transport`. Its scheme is ``prefix``, a plus, and the scheme of `transport`; endpoints keep
  /// address and parameters, and the wrapper takes out the parameters that are its own.
  func wrap(_ transport: any Transport) -> any Transport
}
