internal import CheckIn
internal import Glibc
internal import InMemoryTransport
internal import TLSTransport
internal import TestSupport
internal import Testing

@Suite("The memory of TLS", .timeLimit(.minutes(3)))
struct TLSMemoryTests {
  @Test(
    "an idle connection costs each end at most 48 KiB, and thousands of handshakes leave nothing behind",
    .disabled(if: Sanitizer.isOn, "under a sanitizer memory that was given back is kept, to find its use"))
  func staysSmall() async {
    await #expect(processExitsWith: .success) {
      let tls = try TLSHall().transport().wrap(InMemoryTransport())
      let endpoint = Endpoint(scheme: "tls+memory", address: "0")
      let listener = try await tls.listen(on: endpoint)
      func open() async throws -> (any Connection, any Connection) {
        let near = try await tls.connect(to: listener.endpoint, before: nil)
        return (near, try await listener.accept())
      }
      func openAndClose(_ count: Int) async throws {
        for number in 0..<count {
          let (near, far) = try await open()
          try await near.send([UInt8(truncatingIfNeeded: number)], before: nil)
          if number % 2 == 0 { await near.close() } else { near.abort() }
          await far.close()
        }
      }
      // What is left behind grows in every round. What the threads keep for themselves grows in some: in the first, and
      // when one more thread takes part.
      let count = 1_000
      var grown = Int.max
      for _ in 0..<8 where grown >= count * 1_024 {
        let before = residentBytes()
        try await openAndClose(count)
        grown = min(grown, residentBytes() - before)
      }
      var idle: [any Connection] = []
      let empty = residentBytes()
      for _ in 0..<500 {
        let (near, far) = try await open()
        idle += [near, far]
      }
      let each = (residentBytes() - empty) / idle.count
      // One byte kept for each would not be seen; a session, a certificate or a buffer of each would.
      guard grown < count * 1_024 else { exit(7) }
      guard each <= 48 * 1_024 else { exit(8) }
      await listener.close()
    }
  }
}
