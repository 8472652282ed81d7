internal import CheckIn
internal import CheckInCore
internal import InMemoryTransport
internal import Synchronization
internal import TestSupport
internal import Testing

/// Listeners that are served together.
@Suite(.timeLimit(.minutes(1)))
struct ListenerGroupTests {
  /// A listener that fails to accept, so often; then it waits until it is closed.
  final class FailingListener: Listener {
    let endpoint: Endpoint
    private let failures: Mutex<Int>
    private let closing = AsyncStream.makeStream(of: Void.self)
    private let closed = Mutex(false)

    init(_ endpoint: Endpoint, failures: Int) {
      self.endpoint = endpoint
      self.failures = Mutex(failures)
    }

    var isClosed: Bool { closed.withLock { $0 } }

    func accept() async throws(TransportError) -> any Connection {
      let fails = failures.withLock { failures in
        failures -= 1
        return failures >= 0
      }
      if fails { throw TransportError(.resourcesExhausted, "no descriptor is left") }
      for await _ in closing.stream {}
      throw TransportError(.closed, "closed")
    }

    func close() async {
      closed.withLock { $0 = true }
      closing.continuation.finish()
    }
  }

  /// Listens by listeners that fail.
  struct FailingTransport: Transport {
    let scheme = "failing"
    let capabilities: TransportCapabilities = []
    let failures: Int
    let listeners = Listeners()

    final class Listeners: Sendable {
      private let made = Mutex<[FailingListener]>([])
      var all: [FailingListener] { made.withLock { $0 } }
      func add(_ listener: FailingListener) { made.withLock { $0.append(listener) } }
    }

    func connect(to endpoint: Endpoint, before deadline: Deadline?) async throws(TransportError)
      -> any Connection
    {
      throw TransportError(.unsupported, "nobody is there")
    }

    func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
      guard endpoint.address != "taken" else { throw TransportError(.addressInUse, "somebody has it") }
      let listener = FailingListener(endpoint, failures: failures)
      listeners.add(listener)
      return listener
    }
  }

  @Test func `Where one cannot listen, those before it are closed`() async throws {
    let transport = FailingTransport(failures: 0)
    do throws(CheckInError) {
      _ = try await ListenerGroup(
        at: [try! Endpoint("failing://one"), try! Endpoint("failing://taken")], clock: SystemClock()
      ) { _ in transport }
      Issue.record("it listens")
    } catch {
      #expect(error.code == .transport)
    }
    #expect(transport.listeners.all.map(\.isClosed) == [true])
  }

  @Test func `Eleven failures in a row are told and forgiven; closing ends it without an error`() async throws {
    let clock = ManualClock()
    let transport = FailingTransport(failures: 11)
    let group = try await ListenerGroup(at: [Endpoint("failing://one")], clock: clock) { _ in transport }
    let troubles = Mutex(0)
    let running = Task {
      await group.run { trouble in
        if case .acceptFailed = trouble { troubles.withLock { $0 += 1 } }
      } serve: { _ in
      }
    }
    for count in 1...11 {
      while !Task.isCancelled, troubles.withLock({ $0 }) < count || clock.sleeperCount == 0 { await Task.yield() }
      clock.advance(by: .seconds(1))
    }
    await group.close()
    #expect(await running.value == nil)
    #expect(troubles.withLock { $0 } == 11)
  }

  @Test func `The twelfth ends a listener; the others go on, and only the last one's end is an error`() async throws {
    let clock = ManualClock()
    let transport = FailingTransport(failures: 12)
    let group = try await ListenerGroup(at: [Endpoint("failing://one")], clock: clock) { _ in transport }
    let ended = Mutex<[Endpoint]>([])
    let running = Task {
      await group.run { trouble in
        if case .listenerFailed(let endpoint, _) = trouble { ended.withLock { $0.append(endpoint) } }
      } serve: { _ in
      }
    }
    while !Task.isCancelled, ended.withLock({ $0.isEmpty }) {
      if clock.sleeperCount > 0 { clock.advance(by: .seconds(1)) }
      await Task.yield()
    }
    #expect(await running.value?.code == .resourcesExhausted)
    #expect(ended.withLock { $0 } == group.endpoints)
  }
}
