internal import CheckIn
internal import CheckInCore
internal import Synchronization
internal import TCPTransport

/// Stands between a client and a server on loopback, and cuts each connection after so many bytes from the client.
final class CuttingProxy: Sendable {
  private struct State {
    var cuts = 0
    var bytes = 0
    var limit: Int?
  }

  private let listener: any Listener
  private let transport: TCPTransport
  private let state = Mutex(State())
  private let task = Mutex<Task<Void, any Error>?>(nil)

  init(_ transport: TCPTransport) async throws {
    self.transport = transport
    listener = try await transport.listen(on: Endpoint("tcp://127.0.0.1:0"))
  }

  var address: String { listener.endpoint.address }
  /// How many connections were cut.
  var cuts: Int { state.withLock { $0.cuts } }
  /// How many bytes went from clients to the server.
  var bytes: Int { state.withLock { $0.bytes } }

  /// Cuts from now on, each connection that is made after so many bytes; nil: none.
  func cut(after limit: Int?) { state.withLock { $0.limit = limit } }

  func pass(to server: Endpoint) {
    let passing = Task { [self] in
      while true {
        let outside = try await listener.accept()
        let inside = try await transport.connect(to: server, before: nil)
        Task { await copy(from: outside, to: inside, counts: true) }
        Task { await copy(from: inside, to: outside, counts: false) }
      }
    }
    task.withLock { $0 = passing }
  }

  func end() async {
    task.withLock { $0 }?.cancel()
    await listener.close()
  }

  private func copy(from: any Connection, to: any Connection, counts: Bool) async {
    var queue = ByteQueue()
    var passed = 0
    while case .bytes? = try? await from.receive(into: &queue, before: nil) {
      let piece = queue.take(queue.count)
      passed += piece.count
      let isCut = state.withLock { state in
        if counts { state.bytes += piece.count }
        guard counts, let limit = state.limit, passed > limit else { return false }
        state.cuts += 1
        return true
      }
      guard !isCut else {
        from.abort()
        to.abort()
        return
      }
      try? await to.send(piece, before: nil)
    }
    try? await to.finish()
  }
}
