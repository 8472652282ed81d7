internal import CheckIn
internal import FaultTransport
internal import InMemoryTransport
internal import TestSupport
internal import Testing

@Suite("The parameters of the fault transport")
struct FaultParameterTests {
  @Test(
    "one that can be read is taken out before the transport beneath sees the address",
    arguments: [
      "seed=0", "seed=18446744073709551615", "first=2", "refuse=0", "refuse=0.25", "dial-delay=1us..2ms",
      "fail-accept=0", "drop-accept=0.0", "delay=1us", "delay=send:1us", "delay=receive:1us..2us,send:3us", "split=1",
      "split=send:2..9", "coalesce=1ms", "stall-after=900&stall-for=1ms", "cut-after=0..800", "reset-after=send:5",
      "drop=receive:0.1", "flip=0.001", "flip-at=70", "lose-on-close=9", "lose-on-close=0..9",
    ])
  func isRead(query: String) async throws {
    let line = try await FaultLine(listening: query)
    #expect(line.listener.endpoint == (try Endpoint("fault+memory://lobby?\(query)")))
    let near = try await line.dial(query)
    #expect(near.remote == line.listener.endpoint)
    near.abort()
    await line.listener.close()
  }

  @Test(
    "one that cannot be read is refused by both calls, in words that name it",
    arguments: [
      "seed=", "seed=-1", "seed=0x7", "seed=18446744073709551616", "seed=7.5", "first=x", "refuse=1.1", "refuse=.5",
      "refuse=-0", "refuse=1e-3", "refuse=nan", "refuse=send:1", "dial-delay=5", "dial-delay=5m", "dial-delay=ms",
      "dial-delay=3601s", "dial-delay=18446744073709551615s", "dial-delay=2ms..1ms", "fail-accept=2", "drop-accept=a",
      "delay=", "delay=1ms,2ms", "delay=up:1ms", "delay=send:1ms,send:2ms", "delay=send:1ms,", "split=0", "split=0..5",
      "split=5..", "split=..5", "split=1...5", "coalesce=1ms..2ms", "stall-after=1ms", "stall-for=1ms",
      "cut-after=9..3", "reset-after=+1", "drop=2", "flip=x", "flip-at=1.5",
      "lose-on-close=send:5",
    ])
  func isRefused(query: String) async throws {
    let transport = FaultTransport().wrap(InMemoryTransport())
    let endpoint = try Endpoint("fault+memory://lobby?\(query)")
    for call in 0..<2 {
      do throws(TransportError) {
        if call == 0 {
          _ = try await transport.connect(to: endpoint, before: nil)
        } else {
          _ = try await transport.listen(on: endpoint)
        }
        Issue.record("\(query) was taken")
      } catch {
        #expect(error.code == .addressMalformed)
        #expect(error.message.contains(query.prefix { $0 != "=" }), "\(error)")
      }
    }
  }

  @Test("one that nobody knows is refused by the transport beneath")
  func isUnknown() async throws {
    let transport = FaultTransport().wrap(InMemoryTransport())
    await expectError(.addressMalformed) { try await transport.listen(on: Endpoint("fault+memory://lobby?fliip=1")) }
  }

  @Test("a registry finds the wrapper by its prefix, and both ends of a connection show the parameters")
  func isInTheEndpoints() async throws {
    let registry = try TransportRegistry([InMemoryTransport()], wrappers: [FaultTransport()])
    let listener = try await registry.listen(on: Endpoint("fault+memory://lobby?seed=7"))
    let near = try await registry.connect(to: listener.endpoint)
    let far = try await listener.accept()
    for endpoint in [listener.endpoint, near.local, near.remote, far.local, far.remote] {
      #expect(endpoint.scheme == "fault+memory")
      #expect(endpoint.parameter("seed") == "7")
    }
    #expect(near.local == far.remote)
    near.abort()
    await listener.close()
  }

  @Test("an error names parameter, seed, side and number")
  func isInTheErrors() async throws {
    let line = try await FaultLine(listening: "seed=12&cut-after=receive:0")
    for number in 1...3 as ClosedRange<UInt64> {
      _ = await injected { try await line.dial("seed=99&refuse=1") }
      let refused = await injected { try await line.dial("seed=99&refuse=1") }
      #expect(refused == InjectedFault(parameter: .refuse, seed: 99, side: .dialled, number: number * 3 - 1))
      let near = try await line.dial()
      let far = try await line.listener.accept()
      let cut = await injected { try await far.receiveOnce() }
      #expect(cut == InjectedFault(parameter: .cutAfter, seed: 12, side: .accepted, number: number))
      #expect(cut?.description == "injected by cut-after: seed 12, accepted connection \(number)")
      near.abort()
    }
  }
}
