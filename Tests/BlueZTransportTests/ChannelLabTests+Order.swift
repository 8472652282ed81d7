internal import BlueZTransport
internal import CheckIn
internal import CheckInCore
internal import TestSupport
internal import Testing

/// Whether packets keep their order in the kernel (see ``L2CAPSocket/usualMTU(of:)``). Two processors are needed to see
/// it fail: with one, the kernel seldom comes to it.
extension ChannelLabTests {
  @Test("what fills a slow reader's kernel arrives in order, both ways at once, at the packet size that we announce")
  func order() async throws {
    let mtu = L2CAPSocket.usualMTU(of: .lowEnergy)
    let (ours, bare) = try await channel(at: "l2cap://hci0?psm=0", mtu: mtu)
    let count = 2 << 20
    let there = Task { try await ours.send(words(0..<count / 4), before: .now + .seconds(200)) }
    let back = Task {
      try await aside {
        for start in stride(from: 0, to: 50_000, by: 40) { try bare.send(words(start..<start + 40)) }
      }
    }
    let slow = Task {
      try await aside { try bare.receivePackets(until: count, inGroupsOf: 12) }
    }
    #expect(breaks(in: try await ours.receive(exactly: 200_000)) == [], "there")
    try await back.value
    let packets = try await slow.value
    #expect(packets.allSatisfy { $0.count <= mtu })
    #expect(breaks(in: packets.flatMap { $0 }) == [], "back, in packets of \(packets[0].count) bytes")
    try await there.value
    await ours.close()
    bare.close()
  }

  /// Four bytes for each number.
  private func words(_ numbers: Range<Int>) -> [UInt8] {
    numbers.flatMap { number in
      [UInt8(truncatingIfNeeded: number >> 24), UInt8(truncatingIfNeeded: number >> 16),
        UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }
  }

  /// Where the numbers do not follow each other: what came, and in whose place.
  private func breaks(in bytes: [UInt8]) -> [String] {
    var due = 0
    var found: [String] = []
    for place in stride(from: 0, to: bytes.count - 3, by: 4) {
      let number = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      if number != due { found.append("byte \(4 * number) came where byte \(4 * due) was due") }
      due = number + 1
    }
    return found
  }
}
