internal import CheckIn
internal import Glibc
internal import SocketIO
internal import TCPTransport
internal import TestSupport
internal import Testing
internal import TransportConformance

@Suite("The TCP transport", .serialized)
struct TCPTransportTests {
  private static func subject(host: String = "127.0.0.1", count: Int = 2) throws -> ConformanceSubject {
    let loops = try EventLoopGroup(count: count)
    return ConformanceSubject(
      TCPTransport(loops: loops, linger: .seconds(1), backlog: 64), addresses: .hostAndPort(scheme: "tcp", host: host),
      queueBound: 300,
      end: { await loops.shutdown() })
  }

  @Test("conforms", .timeLimit(.minutes(2)), arguments: ConformanceSuite.checks, ["127.0.0.1", "[::1]"])
  func conforms(check: ConformanceCheck, host: String) async throws {
    let result = await check.run(on: try Self.subject(host: host))
    if let reason = result.skipReason { try Test.cancel("\(reason)") }
    #expect(result.failures.isEmpty, "\(result)")
  }
}

@Suite("TCP", .timeLimit(.minutes(1)))
struct TCPTests {
  @Test("a name is looked up, and the ends carry numbers")
  func looksUpNames() async throws {
    let loops = try EventLoopGroup(count: 1)
    let transport = TCPTransport(loops: loops)
    let listener = try await transport.listen(on: Endpoint("tcp://localhost:0"))
    let port = try #require(listener.endpoint.address.split(separator: ":").last)
    let near = try await transport.connect(to: Endpoint("tcp://localhost:\(port)"), before: nil)
    let far = try await listener.accept()
    #expect(near.remote == far.local)
    #expect(!near.remote.address.contains("localhost"))
    await loops.shutdown()
  }

  @Test("a listener on every address stays one, and tells each connection's own")
  func listensEverywhere() async throws {
    let loops = try EventLoopGroup(count: 1)
    let transport = TCPTransport(loops: loops)
    let listener = try await transport.listen(on: Endpoint("tcp://0.0.0.0:0"))
    #expect(listener.endpoint.address.hasPrefix("0.0.0.0:"))
    let port = try #require(listener.endpoint.address.split(separator: ":").last)
    let near = try await transport.connect(to: Endpoint("tcp://127.0.0.1:\(port)"), before: nil)
    let far = try await listener.accept()
    #expect(far.local.address == "127.0.0.1:\(port)")
    #expect(far.remote == near.local)
    // The same port of the other family is another address.
    let other = try await transport.listen(on: Endpoint("tcp://[::]:\(port)"))
    await other.close()
    await loops.shutdown()
  }

  @Test("an address that is not this machine's cannot be listened on")
  func refusesForeignAddress() async throws {
    let loops = try EventLoopGroup(count: 1)
    let transport = TCPTransport(loops: loops)
    await expectError(.addressUnavailable) { try await transport.listen(on: Endpoint("tcp://192.0.2.1:0")) }
    await loops.shutdown()
  }

  @Test("dialling free ports over and over is always refused, never answered by oneself")
  func neverMeetsItself() async throws {
    let loops = try EventLoopGroup(count: 1)
    let transport = TCPTransport(loops: loops)
    let listener = try await transport.listen(on: Endpoint("tcp://127.0.0.1:0"))
    await listener.close()
    for _ in 0..<2_000 {
      await expectError(.refused) { try await transport.connect(to: listener.endpoint, before: nil) }
    }
    await loops.shutdown()
  }

  @Test("L6: without descriptors the listener waits, and goes on when there are some")
  func survivesLackOfDescriptors() async {
    await #expect(processExitsWith: .success) {
      // The first sleep opens the descriptors of the pool's own timers.
      try await Task.sleep(for: .milliseconds(5))
      let loops = try EventLoopGroup(count: 1)
      let transport = TCPTransport(loops: loops)
      let listener = try await transport.listen(on: Endpoint("tcp://127.0.0.1:0"))
      // The first accept fills the reserve.
      _ = try await transport.connect(to: listener.endpoint, before: nil)
      _ = try await listener.accept()
      let near = try await transport.connect(to: listener.endpoint, before: nil)
      // Take every number that is left.
      var limit = rlimit()
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = 64
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      var taken: [Int32] = []
      while case let number = dup(0), number >= 0 { taken.append(number) }
      let accepting = Task {
        let far = try await listener.accept()
        return (far, ContinuousClock.now)
      }
      // The pool ends the process when it finds no descriptor: that it lives is the listener's reserve.
      try await Task.sleep(for: .milliseconds(1_500))
      let freed = ContinuousClock.now
      for number in taken { close(number) }
      let (far, time) = try await accepting.value
      guard time >= freed else { exit(8) }
      guard far.remote == near.local else { exit(9) }
      await far.close()
    }
  }

  @Test("no descriptor is left after a thousand connections, closed and aborted under load")
  func leaksNothing() async {
    await #expect(processExitsWith: .success) {
      // The first sleep opens the descriptors of the pool's own timers.
      try await Task.sleep(for: .milliseconds(5))
      let loops = try EventLoopGroup(count: 2)
      let transport = TCPTransport(loops: loops)
      let listener = try await transport.listen(on: Endpoint("tcp://127.0.0.1:0"))
      // The first accept fills the listener's reserve.
      _ = try await transport.connect(to: listener.endpoint, before: nil)
      _ = try await listener.accept()
      let before = openDescriptors()
      let load = pattern(5_000)
      for batch in 0..<50 {
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            for _ in 0..<20 {
              guard let far = try? await listener.accept() else { exit(5) }
              Task {
                while let reception = try? await far.receiveOnce(), reception != .finished {}
                switch batch % 3 {
                case 0: await far.close()
                case 1: far.abort()
                default: break
                }
              }
            }
          }
          for number in 0..<20 {
            group.addTask {
              guard let near = try? await transport.connect(to: listener.endpoint, before: nil) else { exit(6) }
              let sending = Task { while (try? await near.send(load)) != nil { await Task.yield() } }
              for _ in 0..<number { await Task.yield() }
              switch number % 3 {
              case 0: await near.close()
              case 1: near.abort()
              default:
                sending.cancel()
                await near.close()
              }
              await sending.value
            }
          }
        }
      }
      guard await becomesTrue({ openDescriptors() <= before }) else { exit(9) }
      await loops.shutdown()
    }
  }

  @Test("a dial that is cancelled at any moment leaves nothing behind")
  func cancelledDialsLeakNothing() async {
    await #expect(processExitsWith: .success) {
      // The first sleep opens the descriptors of the pool's own timers.
      try await Task.sleep(for: .milliseconds(5))
      let loops = try EventLoopGroup(count: 2)
      let transport = TCPTransport(loops: loops, backlog: 4)
      let listener = try await transport.listen(on: Endpoint("tcp://127.0.0.1:0"))
      let before = openDescriptors()
      for round in 0..<300 {
        let task = Task { try await transport.connect(to: listener.endpoint, before: .now + .milliseconds(round % 5)) }
        for _ in 0..<round % 4 { await Task.yield() }
        if round % 2 == 0 { task.cancel() }
        _ = await task.result
      }
      guard await becomesTrue({ openDescriptors() <= before }) else { exit(9) }
      await loops.shutdown()
    }
  }
}
