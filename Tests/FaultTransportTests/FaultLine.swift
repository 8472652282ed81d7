internal import CheckIn
internal import FaultTransport
internal import InMemoryTransport
internal import TestSupport

/// A connection over memory whose dialling end, accepted end, or both have faults.
struct FaultLine {
  let transport: any Transport
  let beneath = InMemoryTransport()
  let listener: any Listener

  /// - Parameter listening: the parameters of the listener, such as `seed=7&split=1`.
  init(listening: String = "") async throws {
    transport = FaultTransport().wrap(beneath)
    listener = try await transport.listen(on: Endpoint("fault+memory://lobby?\(listening)"))
  }

  /// Dials with faults.
  func dial(_ parameters: String = "", before deadline: Deadline? = nil) async throws -> any Connection {
    try await transport.connect(to: Endpoint("fault+memory://lobby?\(parameters)"), before: deadline)
  }

  /// The faulty end, dialled, and the clean other one.
  func pair(_ parameters: String = "") async throws -> (near: any Connection, far: any Connection) {
    let near = try await dial(parameters)
    return (near, try await listener.accept())
  }
}

/// What lies beneath an error of the fault transport.
func injected<Value>(_ body: () async throws -> Value) async -> InjectedFault? {
  do {
    _ = try await body()
    return nil
  } catch let error as TransportError {
    return error.cause as? InjectedFault
  } catch {
    return nil
  }
}
