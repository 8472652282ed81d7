/// What lies beneath an error that a ``FaultTransport`` made: the cause of its ``/CheckIn/TransportError``.
public struct InjectedFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// How a connection came about.
  public enum Side: String, Hashable, Sendable {
    /// Its number counts the dials of a wrapper.
    case dialled
    /// Its number counts what a listener accepted.
    case accepted
  }

  /// The parameter that asked for it.
  public let parameter: FaultParameter
  /// The seed. With it and the same calls the fault happens again.
  public let seed: UInt64
  /// Which end has it.
  public let side: Side
  /// The connection's number, from 1; for ``FaultParameter/failAccept`` the number of the call.
  public let number: UInt64

  /// A fault.
  public init(parameter: FaultParameter, seed: UInt64, side: Side, number: UInt64) {
    self.parameter = parameter
    self.seed = seed
    self.side = side
    self.number = number
  }

  /// The fault in words, with all that repeats it.
  public var description: String {
    "injected by \(parameter.rawValue): seed \(seed), \(side.rawValue) connection \(number)"
  }
}
