internal import CBluetooth
internal import CheckIn
internal import Glibc
internal import SocketIO

/// An L2CAP socket before it is connected or listens, with an address of its own.
///
/// It is of the type SOCK_STREAM: then what was received and not asked for yet is kept, where a SOCK_SEQPACKET socket
/// would throw the rest of a packet away, and a packet of no bytes does not look like the end. A write is one packet in
/// either type, so writes are cut (``SocketTraits/measureWrite``).
package struct L2CAPSocket: ~Copyable {
  /// The largest packet that we send: the kernel keeps a whole packet in the send buffer, and one that never fits would
  /// wait for ever.
  static let largestWrite = 16_384
  /// The largest packet that we receive, unless the endpoint says otherwise.
  ///
  /// With Low Energy it is what fits in one packet of most radios, 251 bytes with its header. Larger ones come out of
  /// order more easily, without a word: Linux (seen with 6.1) lets a sender send more than the receive buffer holds,
  /// since it counts 232 bytes of overhead for a packet that takes up 1,280 or more. The rest it queues apart, and a
  /// packet that arrives while the reader makes room goes in front of that queue. How much it lets the sender send
  /// follows from the size of a packet, so that a larger SO_RCVBUF does not help. With packets of up to about 250 bytes
  /// the sum comes out low. It is reckoned without a lock, so this alone is not enough: see ``isCrowded(_:)`` too.
  package static func usualMTU(of link: BluetoothLink) -> Int {
    switch link {
    case .lowEnergy: 247
    case .classic: 4_096
    }
  }

  /// The address type of a peer whose address is a changing one.
  static let randomType = UInt8(BDADDR_LE_RANDOM)

  let descriptor: Descriptor

  /// A socket that is bound to an address of ours.
  ///
  /// A dialler is bound too: a socket of no address would be one of Bluetooth Classic.
  init(
    _ link: BluetoothLink, at address: BluetoothAddress, psm: UInt16, security: L2CAPEndpoint.Security?, mtu: Int?
  ) throws(TransportError) {
    let descriptor = try Descriptor.bluetooth(SOCK_STREAM, protocol: BTPROTO_L2CAP)
    guard let own = SocketAddress.l2cap(address, psm: psm, type: link.ownType) else {
      throw TransportError(.other, "A Bluetooth address does not fit.")
    }
    switch descriptor.bind(to: own) {
    case 0: break
    case EINVAL where psm == 0:
      throw TransportError(
        .resourcesExhausted, "Every free PSM of the controller is taken. End other listeners, or name a PSM.",
        cause: SystemError(EINVAL))
    case let error: throw TransportError(bluetooth: error, "The PSM cannot be taken")
    }
    try descriptor.setMTU(mtu ?? Self.usualMTU(of: link), of: link)
    if let security { try descriptor.setSecurity(security) }
    self.descriptor = descriptor
  }

  /// Gives the socket away.
  consuming func take() -> Descriptor {
    descriptor
  }

  /// Whether what is unread takes up half of what the kernel allows or more. See ``usualMTU(of:)``: no packet is queued
  /// apart before all of it is taken up.
  static func isCrowded(_ descriptor: borrowing Descriptor) -> Bool {
    // SO_MEMINFO: memory in use, the most of it, and seven more.
    var memory = [UInt32](repeating: 0, count: 9)
    var length = socklen_t(memory.count * MemoryLayout<UInt32>.size)
    // Unsafe: C writes no more than the length that it is given.
    guard unsafe getsockopt(descriptor.number, SOL_SOCKET, SO_MEMINFO, &memory, &length) == 0 else { return false }
    return memory[0] >= memory[1] / 2
  }

  /// The most bytes of one write; nil while the channel is not open.
  static func measureWrite(_ link: BluetoothLink, _ descriptor: borrowing Descriptor) -> Int? {
    descriptor.peerMTU(of: link).map { largestWrite(to: $0, link) }
  }

  /// The most bytes of one write to a peer that takes so many in one packet.
  package static func largestWrite(to mtu: Int, _ link: BluetoothLink) -> Int {
    let size = min(max(mtu, link.leastMTU), largestWrite)
    // On the air two bytes of length come first. A small packet that is full would be cut in two because of them, the
    // second with two bytes.
    return link == .lowEnergy && size <= usualMTU(of: link) ? size - 2 : size
  }
}

extension Descriptor {
  /// The largest packet that the peer may send us; set before connecting or listening.
  fileprivate func setMTU(_ mtu: Int, of link: BluetoothLink) throws(TransportError) {
    switch link {
    case .lowEnergy:
      try set(BT_RCVMTU, at: SOL_BLUETOOTH, to: UInt16(clamping: mtu), "The packet size")
    case .classic:
      guard var options = l2capOptions else {
        throw TransportError(bluetooth: errno, "The packet size cannot be set")
      }
      options.imtu = UInt16(clamping: mtu)
      try set(L2CAP_OPTIONS, at: SOL_L2CAP, to: options, "The packet size")
    }
  }

  fileprivate func setSecurity(_ level: L2CAPEndpoint.Security) throws(TransportError) {
    var value = bt_security()
    value.level = level.rawValue
    try set(BT_SECURITY, at: SOL_BLUETOOTH, to: value, "The security level")
  }

  fileprivate func peerMTU(of link: BluetoothLink) -> Int? {
    switch link {
    case .lowEnergy:
      var mtu: UInt16 = 0
      var length = socklen_t(MemoryLayout<UInt16>.size)
      // Unsafe: C writes no more than the length that it is given.
      return unsafe getsockopt(number, SOL_BLUETOOTH, BT_SNDMTU, &mtu, &length) == 0 ? Int(mtu) : nil
    case .classic:
      return l2capOptions.map { Int($0.omtu) }
    }
  }

  private var l2capOptions: l2cap_options? {
    var options = l2cap_options()
    var length = socklen_t(MemoryLayout<l2cap_options>.size)
    // Unsafe: C writes no more than the length that it is given.
    return unsafe getsockopt(number, SOL_L2CAP, L2CAP_OPTIONS, &options, &length) == 0 ? options : nil
  }

  private func set<Value: BitwiseCopyable>(
    _ option: Int32, at level: Int32, to value: Value, _ what: String
  ) throws(TransportError) {
    var value = value
    // Unsafe: C reads the value, all of whose bytes are set, through a pointer that is valid for the call.
    let result = unsafe setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Value>.size))
    guard result == 0 else { throw TransportError(bluetooth: errno, "\(what) cannot be set") }
  }
}
