internal import BlueZTransport
package import CheckIn
internal import FaultTransport
package import InMemoryTransport
package import SocketIO
internal import TCPTransport
package import TLSTransport
internal import UnixTransport

/// The transports that the example programs know.
package enum ExampleTransports {
  /// A registry of all of them, on these event loops, with the wrappers that can stand in front of them.
  ///
  /// - Parameters:
  ///   - backlog: how many connections wait at a listener before a further dial has to.
  ///   - memory: the world of `memory://`.
  ///   - tls: the wrapper for addresses with `tls+`; nil for one without certificates, which says that it has none.
  package static func registry(
    loops: EventLoopGroup, backlog: Int = 1024, memory: InMemoryTransport = InMemoryTransport(),
    tls: TLSTransport? = nil
  ) throws(TransportError) -> TransportRegistry {
    try TransportRegistry(
      [
        TCPTransport(loops: loops, backlog: backlog), UnixTransport(loops: loops, backlog: backlog),
        BlueZTransport(.lowEnergy, loops: loops, backlog: backlog),
        BlueZTransport(.classic, loops: loops, backlog: backlog), memory,
      ],
      wrappers: [FaultTransport(), tls ?? TLSTransport()])
  }

  /// A URL on the command line.
  package static var format: CommandLineFormat<Endpoint> {
    CommandLineFormat("URL") { text in
      do throws(TransportError) {
        return .success(try Endpoint(text))
      } catch {
        return .failure(CommandLineValueFault(error.message.asSentenceEnd))
      }
    }
  }
}
