internal import BlueZTransport
internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import SocketIO
internal import TestSupport
internal import Testing

/// The value of an environment variable.
private func environment(_ name: String) -> String? {
  // Unsafe: the text is the C library's own and is copied at once.
  unsafe getenv(name).map { unsafe String(cString: $0) }
}

/// Channels between two controllers of the lab (Tests/BluetoothLab), one end of them a bare socket.
@Suite("Bluetooth lab: channels", .serialized, .timeLimit(.minutes(5)), .enabled(if: environment("BT1_ADDRESS") != nil))
struct ChannelLabTests {
  private let loops: EventLoopGroup
  let transport: BlueZTransport

  init() throws {
    loops = try EventLoopGroup(count: 1)
    transport = BlueZTransport(loops: loops)
  }

  /// A connection of ours that a bare socket has dialled, whose packets may have `mtu` bytes each way.
  private func channel(mtu: Int) async throws -> (ours: any Connection, bare: BareChannel) {
    try await channel(at: "l2cap://hci0?psm=0&mtu=\(mtu)", mtu: mtu)
  }

  /// A connection of ours at an endpoint that a bare socket has dialled, to which packets may have `mtu` bytes.
  func channel(at endpoint: String, mtu: Int) async throws -> (ours: any Connection, bare: BareChannel) {
    let listener = try await transport.listen(on: Endpoint(endpoint))
    let device = try #require(BluetoothAddress(listener.endpoint.address))
    let psm = try #require(UInt16(listener.endpoint.parameter("psm")?.dropFirst(2) ?? "", radix: 16))
    // The kernel stops advertising when somebody has connected, and then nobody new can.
    let advertised = try await ChildProcess.finish(
      "/usr/bin/env", ["controller", "advertise", "0"], atMost: .seconds(30))
    #expect(advertised.exit == .status(0), "\(advertised.errors)")
    async let accepted = listener.accept()
    let source = try #require(BluetoothAddress(environment("BT1_ADDRESS") ?? ""))
    let bare = try await aside { try BareChannel(from: source, to: device, psm: psm, mtu: mtu) }
    let ours = try await accepted
    await listener.close()
    return (ours, bare)
  }

  @Test("packets of every size from 1 to 2,100 bytes arrive, whatever the receiver asks for")
  func everySizeIn() async throws {
    let (ours, bare) = try await channel(mtu: 2_100)
    let sizes = Array(1...2_100)
    let all = sizes.flatMap { pattern($0, seed: $0) }
    let sending = Task { try await aside { for size in sizes { try bare.send(pattern(size, seed: size)) } } }
    #expect(try await ours.receive(exactly: all.count) == all)
    try await sending.value
    await ours.close()
    bare.close()
  }

  @Test("sends of every size from 1 to 2,100 bytes go out as one packet each, and above the peer's size as several")
  func everySizeOut() async throws {
    let (ours, bare) = try await channel(mtu: 2_000)
    let receiving = Task { try await aside { try bare.receivePackets(until: (1...2_100).reduce(0, +)) } }
    for size in 1...2_100 { try await ours.send(pattern(size, seed: size), before: .now + .seconds(30)) }
    let packets = try await receiving.value
    let wanted = (1...2_100).flatMap { $0 <= 2_000 ? [$0] : [2_000, $0 - 2_000] }
    #expect(packets.map(\.count) == wanted)
    #expect(packets.flatMap { $0 } == (1...2_100).flatMap { pattern($0, seed: $0) })
    await ours.close()
    bare.close()
  }

  @Test("large packets arrive, and ours stay at the safe size", arguments: [16_384, 31_000, 65_535])
  func large(mtu: Int) async throws {
    let (ours, bare) = try await channel(mtu: mtu)
    let sizes = [16_383, 16_384, 16_385, 30_999, 31_000].filter { $0 <= mtu }
    let sending = Task { try await aside { for size in sizes { try bare.send(pattern(size, seed: size)) } } }
    let all = sizes.flatMap { pattern($0, seed: $0) }
    #expect(try await ours.receive(exactly: all.count) == all)
    try await sending.value
    let receiving = Task { try await aside { try bare.receivePackets(until: 70_000) } }
    try await ours.send(pattern(70_000), before: .now + .seconds(60))
    let packets = try await receiving.value
    #expect(packets.flatMap { $0 } == pattern(70_000))
    #expect(packets.map(\.count).max() == 16_384)
    await ours.close()
    bare.close()
  }

  @Test("the two directions at once")
  func bothWays() async throws {
    let (ours, bare) = try await channel(mtu: 1_000)
    let count = 150_000
    let there = Task {
      try await aside {
        let bytes = pattern(count, seed: 1)
        for start in stride(from: 0, to: count, by: 1_000) { try bare.send(Array(bytes[start..<start + 1_000])) }
      }
    }
    let back = Task { try await aside { try bare.receivePackets(until: count).flatMap { $0 } } }
    async let sending: Void = ours.send(pattern(count, seed: 2), before: .now + .seconds(120))
    #expect(try await ours.receive(exactly: count) == pattern(count, seed: 1))
    try await sending
    #expect(try await back.value == pattern(count, seed: 2))
    try await there.value
    await ours.close()
    bare.close()
  }

  @Test("a peer that ends is told from a link that breaks")
  func ends() async throws {
    let (ours, bare) = try await channel(mtu: 500)
    try bare.send([1, 2, 3])
    bare.close()
    #expect(try await ours.receiveAll() == [1, 2, 3])
    await ours.close()

    let (second, kept) = try await channel(mtu: 500)
    try kept.send([4])
    #expect(try await second.receive(exactly: 1) == [4])
    let waiting = Task { try await second.receive(exactly: 1) }
    let end = try await ChildProcess.finish("/usr/bin/env", ["controller", "off", "1"], atMost: .seconds(30))
    #expect(end.exit == .status(0))
    await expectError(.lost) { try await waiting.value }
    await expectError(.lost) { try await second.send([1], before: nil) }
    kept.close()
    let again = try await ChildProcess.finish("/usr/bin/env", ["controller", "on", "1"], atMost: .seconds(30))
    #expect(again.exit == .status(0))
    let (third, last) = try await channel(mtu: 500)
    try last.send([5])
    #expect(try await third.receive(exactly: 1) == [5], "afterwards it is as before")
    last.close()
    await third.close()
  }
}
