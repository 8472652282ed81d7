internal import CheckIn
internal import TestSupport
internal import Testing

@Suite("Faults of dialling and accepting", .timeLimit(.minutes(1)))
struct OpeningFaultTests {
  /// Which of so many dials are refused.
  private func refusals(_ query: String, count: Int = 64) async throws -> [Bool] {
    let line = try await FaultLine()
    var refused: [Bool] = []
    for _ in 0..<count {
      do throws(TransportError) {
        let connection = try await line.transport.connect(
          to: Endpoint(scheme: "fault+memory", address: "lobby", parameters: Endpoint("x://y?\(query)").parameters),
          before: nil)
        try await line.listener.accept().abort()
        connection.abort()
        refused.append(false)
      } catch {
        #expect(error.code == .refused)
        refused.append(true)
      }
    }
    return refused
  }

  @Test("refused dials follow from the seed, at about their chance")
  func refuses() async throws {
    let first = try await refusals("seed=7&refuse=0.5")
    let again = try await refusals("seed=7&refuse=0.5")
    let other = try await refusals("seed=8&refuse=0.5")
    #expect(first == again)
    #expect(first != other)
    #expect((16...48).contains(first.count { $0 }))
    #expect(try await refusals("refuse=1", count: 4) == [true, true, true, true])
    #expect(try await refusals("refuse=0", count: 4) == [false, false, false, false])
    #expect(try await refusals("refuse=1&first=2", count: 4) == [true, true, false, false])
  }

  @Test("a slow dial takes its time, keeps its deadline, and can be cancelled")
  func isSlow() async throws {
    let line = try await FaultLine()
    let start = ContinuousClock.now
    let near = try await line.dial("dial-delay=30ms", before: .now + .seconds(30))
    #expect(start.duration(to: .now) >= .milliseconds(30))
    near.abort()
    await expectError(.timedOut) { try await line.dial("dial-delay=3000s", before: .now + .milliseconds(10)) }
    let transport = line.transport
    let dialling = Task {
      try await transport.connect(to: Endpoint("fault+memory://lobby?dial-delay=3000s"), before: nil)
    }
    dialling.cancel()
    let result = await dialling.result
    await expectError(.cancelled) { try result.get() }
  }

  @Test("a failing accept loses no connection, and the next goes on")
  func failsToAccept() async throws {
    let line = try await FaultLine(listening: "fail-accept=1&first=3")
    let near = try await line.dial()
    for _ in 0..<3 { await expectError(.resourcesExhausted) { try await line.listener.accept() } }
    let far = try await line.listener.accept()
    #expect(far.remote.address == near.local.address)
    await line.listener.close()
    await expectError(.closed) { try await line.listener.accept() }
  }

  @Test("a dropped connection is lost for its dialler, and accept goes on with the next")
  func drops() async throws {
    let line = try await FaultLine(listening: "drop-accept=1&first=2")
    let lost = [try await line.dial(), try await line.dial()]
    let near = try await line.dial()
    let far = try await line.listener.accept()
    for connection in lost { await expectError(.lost) { try await connection.receiveOnce() } }
    try await near.send([1])
    #expect(try await far.receive(exactly: 1) == [1])
  }
}
