internal import CheckIn
internal import InMemoryTransport
internal import Synchronization
internal import Testing
internal import TransportConformance

/// Some transports give the address of a connection that is gone to the next one at once, as L2CAP does with its channels.
/// The checks must not take one that died, and waits to be accepted, for the one that has its address now.
@Suite("A transport that gives addresses out again", .timeLimit(.minutes(2)))
struct ReusedAddressTests {
  @Test(
    "passes the checks in which connections die before they are accepted",
    arguments: ["L6-gone-before-accept", "L7-silent-peers"])
  func passes(id: String) async throws {
    let check = try #require(ConformanceSuite.checks.first { $0.id == id })
    let channels = Channels()
    let hooks = Hooks(connection: { connection, isAccepted in
      if isAccepted { return ConnectionHooks(remote: channels.name(of: connection.remote)) }
      let local = connection.local
      return ConnectionHooks(
        local: channels.open(local),
        close: {
          channels.close(local)
          await $0.close()
        },
        abort: {
          channels.close(local)
          $0.abort()
        })
    })
    let subject = ConformanceSubject(
      HookedTransport(base: InMemoryTransport(), hooks: hooks), addresses: .names(scheme: "memory"))
    let result = await check.run(on: subject)
    #expect(result.failures.isEmpty, "\(result)")
    #expect(channels.mostAtOnce < channels.count, "addresses were given out again")
  }
}

/// Numbers for the dialling ends, the lowest that is free.
private final class Channels: Sendable {
  private struct State {
    var open: Set<Int> = []
    /// By the endpoint that the transport beneath gives, which is used once.
    var numbers: [Endpoint: Int] = [:]
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.numbers.count } }
  var mostAtOnce: Int { state.withLock { ($0.numbers.values.max() ?? 0) + 1 } }

  func open(_ local: Endpoint) -> Endpoint {
    let number = state.withLock { state in
      let number = (0...).first { !state.open.contains($0) } ?? 0
      state.open.insert(number)
      state.numbers[local] = number
      return number
    }
    return name(number)
  }

  func close(_ local: Endpoint) {
    state.withLock { state in
      if let number = state.numbers[local] { state.open.remove(number) }
    }
  }

  func name(of remote: Endpoint) -> Endpoint? {
    state.withLock { $0.numbers[remote] }.map(name)
  }

  private func name(_ number: Int) -> Endpoint {
    Endpoint(scheme: "memory", address: "channel-\(number)")
  }
}
