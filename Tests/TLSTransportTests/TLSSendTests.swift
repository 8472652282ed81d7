internal import CheckIn
internal import CheckInCore
internal import InMemoryTransport
internal import TLSTransport
internal import TestSupport
internal import Testing

@Suite("What TLS sends", .timeLimit(.minutes(1)))
struct TLSSendTests {
  private let endpoint = Endpoint(scheme: "tls+memory", address: "0")

  @Test("what is encrypted goes out, also when its caller is cancelled just then")
  func cancelledCaller() async throws {
    let beneath = LayeredTransport(base: InMemoryTransport()) { CancelledAtOnce($0) }
    let pair = try await TLSPair(TLSHall().transport().wrap(beneath), at: endpoint)
    for number in 1...20 as ClosedRange<UInt8> {
      try await pair.near.send([number])
      #expect(try await pair.far.receive(exactly: 1) == [number])
      try await pair.far.send([number])
      #expect(try await pair.near.receive(exactly: 1) == [number])
    }
  }

  @Test("a loss that a send at once meets is told to it, and to every later call")
  func lostAtOnce() async throws {
    let beneath = InMemoryTransport()
    let pair = try await TLSPair(TLSHall().transport().wrap(beneath), at: endpoint)
    pair.far.abort()
    await expectError(.lost) { try await pair.near.send([1]) }
    await expectError(.lost) { try await pair.near.send([2]) }
    await expectError(.lost) { try await pair.near.receive(exactly: 1) }
  }
}

/// A connection that finds its caller cancelled whenever it sends at once.
private final class CancelledAtOnce: Connection {
  private let base: any Connection

  init(_ base: any Connection) {
    self.base = base
  }

  var local: Endpoint { base.local }
  var remote: Endpoint { base.remote }

  func receive(into queue: inout ByteQueue, before deadline: Deadline?) async throws(TransportError) -> Reception {
    try await base.receive(into: &queue, before: deadline)
  }

  func sendAtOnce(_ bytes: [UInt8], behind prefix: Frame.Prefix?) throws(TransportError) -> Bool {
    throw TransportError(.cancelled, "Sending was cancelled.")
  }

  func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    try await base.send(bytes, before: deadline)
  }

  func finish() async throws(TransportError) { try await base.finish() }
  func close() async { await base.close() }
  func abort() { base.abort() }
}
