internal import CheckIn
internal import InMemoryTransport
internal import SocketIO

/// WritingATransport.md: a transport in a registry.
func connectToALoft(_ loops: EventLoopGroup) async throws -> (listener: any Listener, connection: any Connection) {
  let registry = try TransportRegistry([PigeonTransport(loops: loops), InMemoryTransport()])
  let listener = try await registry.listen(on: Endpoint("pigeon://0"))
  let connection = try await registry.connect(to: listener.endpoint)
  return (listener, connection)
}
