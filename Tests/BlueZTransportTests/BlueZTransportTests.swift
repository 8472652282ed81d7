internal import BlueZTransport
internal import CBluetooth
internal import CheckIn
internal import Glibc
internal import SocketIO
internal import TestSupport
internal import Testing

/// Whether this machine's kernel has no Bluetooth, as most machines that build software.
private let hasNoBluetooth: Bool = {
  let number = socket(AF_BLUETOOTH, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  guard number < 0 else {
    close(number)
    return false
  }
  return errno == EAFNOSUPPORT
}()

/// What can be known of the transport without Bluetooth. What needs it is in scripts/bluetooth.
@Suite("The BlueZ transport, without Bluetooth", .timeLimit(.minutes(1)))
struct BlueZTransportTests {
  private let transport: BlueZTransport
  private let classic: BlueZTransport
  private let loops: EventLoopGroup

  init() throws {
    loops = try EventLoopGroup(count: 1)
    transport = BlueZTransport(loops: loops)
    classic = BlueZTransport(.classic, loops: loops)
  }

  @Test("has the two schemes, and claims no more than it can")
  func schemes() {
    #expect(transport.scheme == "l2cap")
    #expect(classic.scheme == "l2cap+bredr")
    #expect(transport.capabilities == [.ephemeralAddress, .discovery])
    #expect(classic.capabilities == .ephemeralAddress, "phones are found by Low Energy alone")
  }

  @Test(
    "a write fits the peer's packet, and a small one with its length fits the radio's",
    arguments: [
      (23, 21), (0, 21), (247, 245), (248, 248), (4_096, 4_096), (16_384, 16_384), (16_385, 16_384), (65_535, 16_384),
    ])
  func writes(mtu: Int, size: Int) {
    #expect(L2CAPSocket.largestWrite(to: mtu, .lowEnergy) == size)
  }

  @Test("without Low Energy a write is as large as the peer's packet", arguments: [(48, 48), (0, 48), (672, 672)])
  func classicWrites(mtu: Int, size: Int) {
    #expect(L2CAPSocket.largestWrite(to: mtu, .classic) == size)
  }

  @Test("both schemes stand in one registry, also behind a wrapper's prefix")
  func registry() throws {
    let registry = try TransportRegistry([transport, classic])
    #expect(try registry.transport(for: Endpoint("l2cap://hci0")).scheme == "l2cap")
    #expect(try registry.transport(for: Endpoint("l2cap+bredr://hci0")).scheme == "l2cap+bredr")
    #expect(throws: TransportError.self) { try registry.transport(for: Endpoint("bredr://hci0")) }
  }

  @Test(
    "an address that cannot be read is malformed, to dial and to listen",
    arguments: [
      "l2cap://", "l2cap://hci", "l2cap://hci00", "l2cap://hci-1", "l2cap://hci+1", "l2cap://hci12345", "l2cap://HCI0",
      "l2cap://hci0/", "l2cap://lo", "l2cap://0", "l2cap://00:11:22:33:44", "l2cap://00:11:22:33:44:5",
      "l2cap://00:11:22:33:44:555", "l2cap://00:11:22:33:44:55:66", "l2cap://00:11:22:33:44:", "l2cap://:::::",
      "l2cap://00-11-22-33-44-55", "l2cap://0g:11:22:33:44:55", "l2cap://+1:11:22:33:44:55",
      "l2cap://٠٠:11:22:33:44:55", "l2cap://00:00:00:00:00:00?psm=0x81",
      "l2cap://00:11:22:33:44:55?psm=", "l2cap://00:11:22:33:44:55?psm=x", "l2cap://00:11:22:33:44:55?psm=0x",
      "l2cap://00:11:22:33:44:55?psm=-1", "l2cap://00:11:22:33:44:55?psm=%2B129",
      "l2cap://00:11:22:33:44:55?psm=0x-1", "l2cap://00:11:22:33:44:55?psm=256",
      "l2cap://00:11:22:33:44:55?psm=0x100", "l2cap://00:11:22:33:44:55?psm=65537",
      "l2cap://00:11:22:33:44:55?psm=0x000081", "l2cap://00:11:22:33:44:55?psm=0x81&type=none",
      "l2cap://00:11:22:33:44:55?psm=0x81&device=eth0", "l2cap://00:11:22:33:44:55?psm=0x81&device=",
      "l2cap://00:11:22:33:44:55?psm=0x81&security=top", "l2cap://00:11:22:33:44:55?psm=0x81&security=1",
      "l2cap://00:11:22:33:44:55?psm=0x81&mtu=63", "l2cap://00:11:22:33:44:55?psm=0x81&mtu=65536",
      "l2cap://00:11:22:33:44:55?psm=0x81&speed=9", "l2cap+bredr://hci0?psm=0x1002", "l2cap+bredr://hci0?psm=0x1101",
      "l2cap+bredr://00:11:22:33:44:55?psm=0x1001&type=public",
    ])
  func malformed(url: String) async throws {
    let endpoint = try Endpoint(url)
    let transport = endpoint.scheme == "l2cap" ? transport : classic
    await expectError(.addressMalformed) { try await transport.connect(to: endpoint, before: nil) }
    await expectError(.addressMalformed) { try await transport.listen(on: endpoint) }
  }

  @Test(
    "what can only be listened at cannot be dialled",
    arguments: ["l2cap://hci0?psm=0x81", "l2cap://00:11:22:33:44:55", "l2cap://00:11:22:33:44:55?psm=0"])
  func listenOnly(url: String) async throws {
    let endpoint = try Endpoint(url)
    await expectError(.addressMalformed) { try await transport.connect(to: endpoint, before: nil) }
  }

  @Test(
    "what is for dialling alone cannot be listened at",
    arguments: ["l2cap://hci0?psm=0x81&device=hci1", "l2cap://hci0?type=random"])
  func dialOnly(url: String) async throws {
    let endpoint = try Endpoint(url)
    await expectError(.addressMalformed) { try await transport.listen(on: endpoint) }
  }

  @Test("each refuses the other's scheme")
  func otherScheme() async throws {
    let low = try Endpoint("l2cap://00:11:22:33:44:55?psm=0x81")
    let bredr = try Endpoint("l2cap+bredr://00:11:22:33:44:55?psm=0x1001")
    await expectError(.unsupported) { try await transport.connect(to: bredr, before: nil) }
    await expectError(.unsupported) { try await classic.connect(to: low, before: nil) }
    await expectError(.unsupported) { try await transport.listen(on: bredr) }
    await expectError(.unsupported) { try await classic.listen(on: low) }
  }

  @Test(
    "without Bluetooth in the kernel every good address gives one clear sentence", .enabled(if: hasNoBluetooth),
    arguments: [
      "l2cap://hci0", "l2cap://hci0?psm=0", "l2cap://hci9999?psm=129&security=high&mtu=64", "l2cap://hci0?psm=0x0081",
      "l2cap://aa:bb:cc:dd:ee:ff?psm=0xff", "l2cap://00:11:22:33:44:55?psm=0x80&type=random&device=hci1&mtu=65535",
      "l2cap://00:11:22:33:44:55?psm=0x80&type=public&device=AA:BB:CC:DD:EE:FF&security=low",
      "l2cap+bredr://hci0", "l2cap+bredr://00:11:22:33:44:55?psm=0x1001&security=medium",
    ])
  func noBluetooth(url: String) async throws {
    let endpoint = try Endpoint(url)
    let transport = endpoint.scheme == "l2cap" ? transport : classic
    let isDialled = endpoint.address.contains(":") && endpoint.parameters.count > 0
    do throws(TransportError) {
      if isDialled {
        _ = try await transport.connect(to: endpoint, before: nil)
      } else {
        _ = try await transport.listen(on: endpoint)
      }
      Issue.record("it worked, without Bluetooth")
    } catch {
      #expect(error.code == .addressUnavailable)
      #expect(error.message.contains("kernel has no Bluetooth"))
      #expect((error.cause as? SystemError)?.number == EAFNOSUPPORT)
    }
  }

  @Test("an address is written as it is read, in capital letters")
  func addressText() throws {
    let address = try #require(BluetoothAddress("00:1a:7D:da:71:0f"))
    #expect(address.description == "00:1A:7D:DA:71:0F")
    #expect(address.bytes == [0x00, 0x1a, 0x7d, 0xda, 0x71, 0x0f])
  }

  @Test("a socket address has the kernel's layout, and reads back")
  func socketAddress() throws {
    let device = try #require(BluetoothAddress("00:11:22:33:44:55"))
    let address = try #require(SocketAddress.l2cap(device, psm: 0x0081, type: 2))
    let bytes = unsafe address.withPointer { pointer, length in
      unsafe Array(UnsafeRawBufferPointer(start: pointer, count: Int(length)))
    }
    // Family 31 in the machine's order; PSM, address and channel with the low byte first; the type; one byte of padding.
    #expect(bytes.prefix(13) == [31, 0, 0x81, 0, 0x55, 0x44, 0x33, 0x22, 0x11, 0x00, 0, 0, 2])
    let parts = try #require(address.l2cap)
    #expect(parts.endpoint(of: .lowEnergy).description == "l2cap://00:11:22:33:44:55?psm=0x0081&type=random")
    #expect(parts.diallerEndpoint(of: .lowEnergy).description == "l2cap://00:11:22:33:44:55?channel=0x0000&type=random")
    let classic = try #require(SocketAddress.l2cap(device, psm: 0x1001, type: 0)?.l2cap)
    #expect(classic.endpoint(of: .classic).description == "l2cap+bredr://00:11:22:33:44:55?psm=0x1001")
  }

  @Test(
    "an error number of a dial has the code and the words of Bluetooth",
    arguments: [
      (ECONNREFUSED, TransportError.Code.refused, "nobody listens"), (EHOSTUNREACH, .unreachable, "switched on"),
      (ENETDOWN, .unreachable, "switched on"), (ECONNRESET, .unreachable, "broke off"),
      (ECONNABORTED, .unreachable, "broke off"), (ENOTCONN, .unreachable, "broke off"),
      (ETIMEDOUT, .timedOut, "does not answer"), (EINPROGRESS, .timedOut, "does not answer"),
      (EACCES, .permissionDenied, "not permitted"), (ENODEV, .unreachable, "no such Bluetooth controller"),
      (EAFNOSUPPORT, .addressUnavailable, "kernel has no Bluetooth"), (EMFILE, .resourcesExhausted, "ulimit"),
    ])
  func dialErrors(number: Int32, code: TransportError.Code, words: String) {
    let error = TransportError(system: number, "Connecting failed").ofBluetoothDial
    #expect(error.code == code)
    #expect(error.message.contains(words), "\(error.message)")
    #expect((error.cause as? SystemError)?.number == number)
  }
}
