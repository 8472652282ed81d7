internal import CheckIn
internal import CheckInCore
internal import InMemoryTransport
internal import Synchronization
internal import TestSupport
internal import Testing

/// What a group of listeners serves is waited for, and cancelled with it.
@Suite(.timeLimit(.minutes(1)))
struct ServedTogetherTests {
  private static let count = 20

  /// What happens to the connections.
  private final class Record: Sendable {
    private let state = Mutex((begun: 0, ended: 0, cancelled: 0))

    var counts: (begun: Int, ended: Int, cancelled: Int) { state.withLock { $0 } }

    /// Waits for the phone's end, or for its cancellation, and takes its time then.
    func serve(_ connection: any Connection) async {
      state.withLock { $0.begun += 1 }
      var bytes = ByteQueue()
      _ = try? await connection.receive(into: &bytes, before: nil)
      for _ in 0..<100 { await Task.yield() }
      state.withLock { state in
        state.ended += 1
        if Task.isCancelled { state.cancelled += 1 }
      }
    }
  }

  /// Runs a group with so many connections that are being served.
  private func serving(
    _ body: (_ group: ListenerGroup, _ running: Task<TransportError?, Never>, [any Connection], Record) async throws ->
      Void
  ) async throws {
    let transport = InMemoryTransport()
    let group = try await ListenerGroup(at: [Endpoint("memory://0")], clock: SystemClock()) { _ in transport }
    let record = Record()
    let running = Task { await group.run(report: { _ in }, serve: record.serve) }
    var phones: [any Connection] = []
    for _ in 0..<Self.count { phones.append(try await transport.connect(to: group.endpoints[0], before: nil)) }
    while !Task.isCancelled, record.counts.begun < Self.count { await Task.yield() }
    try await body(group, running, phones, record)
  }

  @Test func `A group that is closed ends when all whom it serves have ended, and cuts nobody short`() async throws {
    try await serving { group, running, phones, record in
      await group.close()
      for phone in phones.dropFirst() { await phone.close() }
      while !Task.isCancelled, record.counts.ended < Self.count - 1 { await Task.yield() }
      let isOver = Mutex(false)
      let watching = Task {
        _ = await running.value
        isOver.withLock { $0 = true }
      }
      for _ in 0..<200 { await Task.yield() }
      #expect(!isOver.withLock { $0 }, "one is still served")
      await phones[0].close()
      await watching.value
      #expect(record.counts == (Self.count, Self.count, 0))
    }
  }

  @Test func `A group whose task is cancelled cancels all, and waits for them`() async throws {
    try await serving { _, running, phones, record in
      running.cancel()
      #expect(await running.value == nil)
      #expect(record.counts == (Self.count, Self.count, Self.count))
      withExtendedLifetime(phones) {}
    }
  }
}
