public import CheckIn
internal import Synchronization

/// Puts faults into any transport, to see that what stands on it ends right: `fault+tcp://127.0.0.1:7443?seed=7&split=1`.
///
/// Which faults, how many and where is said by parameters of the URL, each described at ``FaultParameter``; those of the
/// transport beneath stay with it. A URL without them changes nothing: every requirement of
/// ``/CheckIn/Transport``, ``/CheckIn/Listener`` and ``/CheckIn/Connection`` is kept as the transport beneath keeps it, and
/// the capabilities are its own but for discovery.
///
/// The faults happen at the end whose URL names them: a kiosk that listens at a `fault+` URL has them in the connections
/// that it accepts, a phone that dials one in those that it opens. The peer needs no wrapper.
///
/// Faults follow from the seed alone. Each connection has a number, counted from 1 by this wrapper for what is dialled and
/// by each listener for what it accepts, and every decision is a function of seed, number, direction and place in the
/// stream of bytes. So the same seed and the same calls give the same faults, whatever the timing. Both ends of a
/// connection carry the parameters in their endpoints, and the error of each fault names seed and number; its cause is
/// an ``InjectedFault``.
public final class FaultTransport: TransportWrapper {
  private let dialled = Counter()

  /// A wrapper whose first dialled connection has the number 1.
  public init() {}

  /// `fault`.
  public var prefix: String { "fault" }

  /// The transport with the faults that its endpoints name. All of one wrapper count their dials together.
  public func wrap(_ transport: any Transport) -> any Transport {
    FaultyTransport(transport, scheme: "\(prefix)+\(transport.scheme)", dialled: dialled)
  }
}

/// Counts from 1.
final class Counter: Sendable {
  private let last = Atomic<UInt64>(0)

  /// The next number.
  func next() -> UInt64 {
    last.add(1, ordering: .relaxed).newValue
  }
}
