internal import CheckIn
internal import CheckInCore
internal import InMemoryTransport
internal import TestSupport

/// Between two ends of TLS stands someone who passes bytes on, and ends both sides in good order in the middle.
enum TruncationCheck {
  /// How each end hears of it: the error's code, or nil where it takes it for a good end.
  static func ends(_ tls: any Transport, beneath memory: InMemoryTransport) async throws -> [TransportError.Code?] {
    let listener = try await tls.listen(on: Endpoint("tls+memory://0"))
    let middle = try await memory.listen(on: Endpoint("memory://0"))
    let passing = Task {
      let outside = try await middle.accept()
      let inside = try await memory.connect(
        to: Endpoint(scheme: "memory", address: listener.endpoint.address), before: nil)
      async let there: Void = pass(from: outside, to: inside)
      async let back: Void = pass(from: inside, to: outside)
      _ = await (there, back)
    }
    let near = try await tls.connect(
      to: Endpoint(scheme: "tls+memory", address: middle.endpoint.address), before: nil)
    let far = try await listener.accept()
    try await near.send(pattern(1_000), before: nil)
    guard try await far.receive(exactly: 1_000) == pattern(1_000) else { return [.malformed, .malformed] }
    passing.cancel()
    var ends: [TransportError.Code?] = []
    for connection in [far, near] {
      var queue = ByteQueue()
      do throws(TransportError) {
        let reception = try await connection.receive(into: &queue, before: .now + .seconds(10))
        ends.append(reception == .finished ? nil : .malformed)
      } catch {
        ends.append(error.code)
      }
    }
    await listener.close()
    await middle.close()
    return ends
  }

  /// Passes bytes on until the task is cancelled, and closes in good order.
  static func pass(from: any Connection, to: any Connection) async {
    var queue = ByteQueue()
    while case .bytes? = try? await from.receive(into: &queue, before: nil) {
      try? await to.send(queue.take(queue.count), before: nil)
    }
    await to.close()
  }
}
