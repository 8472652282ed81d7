public import CheckIn
internal import CheckInCore
internal import Synchronization

/// The other process of ``ConformanceSuite/peerChecks``: it listens, and does what each connection asks of it.
///
/// Anybody who can connect can make the process end. It is for tests, on a network that is yours.
public final class ConformancePeer: Sendable {
  private struct State {
    var listener: (any Listener)?
    /// A command asked for a pause; the listener is opened again after it.
    var pause: Duration?
    var isOver = false
  }

  private let transport: any Transport
  private let timeFactor: Double
  private let die: @Sendable () -> Never
  private let state = Mutex(State())

  /// A peer.
  ///
  /// - Parameters:
  ///   - transport: what it listens with.
  ///   - timeFactor: what its bounds of time are multiplied by.
  ///   - die: ends the process at once, as a power cut would, for the command of that name.
  public init(_ transport: any Transport, timeFactor: Double = 1, die: @escaping @Sendable () -> Never) {
    self.transport = transport
    self.timeFactor = timeFactor
    self.die = die
  }

  /// Listens and serves until its task is cancelled.
  ///
  /// - Parameter onReady: called with the real endpoint, once.
  /// - Throws: what listening throws.
  public func serve(
    at endpoint: Endpoint, onReady: @Sendable (Endpoint) -> Void
  ) async throws(TransportError) {
    var endpoint = endpoint
    var isFirst = true
    while !Task.isCancelled {
      let listener = try await transport.listen(on: endpoint)
      endpoint = listener.endpoint
      if isFirst { onReady(endpoint) }
      isFirst = false
      state.withLock { $0.listener = listener }
      do throws(TransportError) {
        while true {
          let connection = try await listener.accept()
          Task { await self.serve(connection) }
        }
      } catch {
        await listener.close()
        let pause = state.withLock { state in
          defer { state.pause = nil }
          return state.pause
        }
        if error.code == .cancelled { return }
        guard let pause else { throw error }
        try? await Task.sleep(for: pause)
      }
    }
  }

  private func serve(_ connection: any Connection) async {
    let channel = MessageChannel(connection)
    do throws(TransportError) {
      guard let body = try await channel.receive(before: after(.seconds(30))), let command = PeerCommand(body) else {
        return channel.abort()
      }
      try await perform(command, channel)
      await channel.close()
    } catch {
      channel.abort()
    }
  }

  private func perform(_ command: PeerCommand, _ channel: MessageChannel) async throws(TransportError) {
    let connection = channel.connection
    switch command {
    case .hello:
      let binding = connection.channelBinding.map { hexadecimal($0) } ?? "-"
      try await channel.send(Array("\(PeerCommand.greeting) \(binding)".utf8), before: after(.seconds(30)))
    case .echo:
      while let body = try await channel.receive(before: after(.seconds(60))) {
        try await channel.send(body, before: after(.seconds(60)))
      }
    case .take(let count): try await take(count, channel)
    case .give(let count, let seed): try await give(count, seed, connection)
    case .wait: try await waitForEnd(of: connection)
    case .close: break
    case .abort: connection.abort()
    case .die(let count, let seed):
      try await give(count, seed, connection)
      die()
    case .relisten(let time):
      try await channel.send(Array("relisten".utf8), before: after(.seconds(30)))
      let listener = state.withLock { state in
        state.pause = .milliseconds(time)
        return state.listener
      }
      await listener?.close()
      // This connection was accepted, so it lives on (L4): the peer sees that by an echo.
      while let body = try await channel.receive(before: after(.seconds(60))) {
        try await channel.send(body, before: after(.seconds(60)))
      }
    }
  }

  private func take(_ count: Int, _ channel: MessageChannel) async throws(TransportError) {
    var checksum = PeerChecksum()
    var queue = ByteQueue()
    var received = 0
    // The bytes come after this answer, so that none of them is in the channel's own buffer.
    try await channel.send(Array("take".utf8), before: after(.seconds(30)))
    while received < count {
      guard case .bytes = try await channel.connection.receive(into: &queue, before: after(.seconds(60))) else {
        return
      }
      let bytes = queue.take(min(queue.count, count - received))
      checksum.add(bytes)
      received += bytes.count
    }
    try await channel.send(Array(checksum.text.utf8), before: after(.seconds(30)))
  }

  private func give(_ count: Int, _ seed: UInt64, _ connection: any Connection) async throws(TransportError) {
    var bytes = PeerBytes(seed: seed)
    var rest = count
    while rest > 0 {
      let block = bytes.next(min(rest, 65_536))
      try await connection.send(block, before: after(.seconds(60)))
      rest -= block.count
    }
  }

  /// Reads nothing until the peer must have given up; then reads to the end.
  private func waitForEnd(of connection: any Connection) async throws(TransportError) {
    try? await Task.sleep(for: .seconds(10) * timeFactor)
    connection.abort()
  }

  private func after(_ time: Duration) -> Deadline { .now + time * timeFactor }
}
