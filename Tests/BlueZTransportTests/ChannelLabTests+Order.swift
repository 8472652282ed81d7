internal import BlueZTransport
internal import CheckIn
internal import CheckInCore
internal import TestSupport
internal import Testing

/// Whether bytes keep their order in the kernel (see ``L2CAPSocket/usualMTU(of:)``). It shows faults that are frequent: it
/// passed with larger packets too, where a program that reads at the worst moment saw some (Documentation/Bluetooth.md).
extension ChannelLabTests {
  @Test("what fills a slow reader's kernel arrives in order, while bytes go the other way")
  func order() async throws {
    let mtu = L2CAPSocket.usualMTU(of: .lowEnergy)
    let (ours, bare) = try await channel(at: "l2cap://hci0?psm=0", mtu: mtu)
    let size = (mtu - 2) / 4 * 4
    let count = (1 << 20) / size * size
    let there = Task {
      try await aside {
        for start in stride(from: 0, to: count / 4, by: size / 4) { try bare.send(words(start..<start + size / 4)) }
      }
    }
    let sending = Task { try await ours.send(words(0..<50_000), before: .now + .seconds(200)) }
    let back = Task { try await aside { try bare.receivePackets(until: 200_000).flatMap { $0 } } }
    #expect(breaks(in: try await slowly(ours, count)) == [], "there")
    try await there.value
    #expect(breaks(in: try await back.value) == [], "back")
    try await sending.value
    await ours.close()
    bare.close()
  }

  /// Receives so many bytes, and is away for a while after each receive: from a moment to long enough for the other end to
  /// fill what there is room for.
  private func slowly(_ connection: any Connection, _ count: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    var queue = ByteQueue()
    var receives = 0
    while bytes.count < count {
      guard case .bytes(let size) = try await connection.receive(into: &queue, before: .now + .seconds(60)) else {
        break
      }
      bytes += queue.take(size)
      receives += 1
      try await Task.sleep(for: .milliseconds(receives * 37 % 300))
    }
    return bytes
  }

  /// Four bytes for each number.
  private func words(_ numbers: Range<Int>) -> [UInt8] {
    numbers.flatMap { number in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
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
