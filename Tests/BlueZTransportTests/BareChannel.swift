internal import BlueZTransport
internal import CBluetooth
internal import Glibc
internal import SocketIO

/// A channel on a bare, blocking socket that keeps packets apart, that dials. Every call has a
/// bound of its own.
final class BareChannel: Sendable {
  private let number: Int32
  private let mtu: Int

  /// Dials.
  init(from source: BluetoothAddress, to device: BluetoothAddress, psm: UInt16, mtu: Int) throws {
    // SOCK_SEQPACKET, which the C library declares in two ways.
    number = socket(AF_BLUETOOTH, 5 | Int32(SOCK_CLOEXEC.rawValue), BTPROTO_L2CAP)
    self.mtu = mtu
    guard number >= 0 else { throw SystemError(errno) }
    guard let own = SocketAddress.l2cap(source, psm: 0, type: 1),
      let peer = SocketAddress.l2cap(device, psm: psm, type: 1)
    else { throw SystemError(EINVAL) }
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    var size = UInt16(clamping: mtu)
    // Unsafe: C reads addresses and options through pointers that are valid for the calls.
    let result =
      unsafe own.withPointer { unsafe bind(number, $0, $1) }
      | setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      | setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      | setsockopt(number, SOL_BLUETOOTH, BT_RCVMTU, &size, 2)
      | peer.withPointer { unsafe connect(number, $0, $1) }
    guard result == 0 else { throw SystemError(errno) }
  }

  /// Sends one packet.
  func send(_ bytes: [UInt8]) throws {
    // Unsafe: C reads the bytes during the call.
    let count = unsafe Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    guard count == bytes.count else { throw SystemError(count < 0 ? errno : EMSGSIZE) }
  }

  /// Receives packets until they have so many bytes together.
  func receivePackets(until count: Int) throws -> [[UInt8]] {
    var packets: [[UInt8]] = []
    var sum = 0
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while sum < count {
      // Unsafe: C writes into the buffer during the call.
      let size = unsafe recv(number, &buffer, buffer.count, 0)
      guard size > 0 else { throw SystemError(size < 0 ? errno : ECONNRESET) }
      packets.append(Array(buffer[..<size]))
      sum += size
    }
    return packets
  }

  /// Ends it. Called once.
  func close() {
    Glibc.close(number)
  }
}
