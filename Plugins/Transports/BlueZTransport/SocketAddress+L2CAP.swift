internal import CBluetooth
package import CheckIn
package import SocketIO

extension SocketAddress {
  /// An L2CAP address as the kernel takes it. The channel id is zero: a connection-oriented channel gets one.
  package static func l2cap(_ address: BluetoothAddress, psm: UInt16, type: UInt8) -> SocketAddress? {
    var value = sockaddr_l2()
    value.l2_family = sa_family_t(AF_BLUETOOTH)
    value.l2_psm = psm.littleEndian
    value.l2_bdaddr = bdaddr_t(b: address.lowestFirst)
    value.l2_bdaddr_type = type
    // Unsafe: the storage is larger than an L2CAP address, and aligned for it.
    return unsafe SocketAddress { pointer, length in
      unsafe UnsafeMutableRawPointer(pointer).storeBytes(of: value, as: sockaddr_l2.self)
      length = socklen_t(MemoryLayout<sockaddr_l2>.size)
      return true
    }
  }

  /// The parts of an L2CAP address; nil in another family.
  package var l2cap: L2CAPParts? {
    guard family == AF_BLUETOOTH, length >= socklen_t(MemoryLayout<sockaddr_l2>.size) else { return nil }
    // Unsafe: the family and the length say that this structure lies there.
    let value = unsafe withPointer { pointer, _ in
      unsafe UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_l2.self)
    }
    return L2CAPParts(
      address: BluetoothAddress(lowestFirst: value.l2_bdaddr.b), psm: UInt16(littleEndian: value.l2_psm),
      channel: UInt16(littleEndian: value.l2_cid), isRandom: value.l2_bdaddr_type == UInt8(BDADDR_LE_RANDOM))
  }
}

/// What an L2CAP address says.
package struct L2CAPParts: Hashable, Sendable {
  package let address: BluetoothAddress
  package let psm: UInt16
  /// The channel's number at that end, which no other channel of the same two devices has at the same time.
  package let channel: UInt16
  package let isRandom: Bool

  /// A place that can be dialled.
  package func endpoint(of link: BluetoothLink) -> Endpoint {
    endpoint(of: link, "psm", psm)
  }

  /// The end of one channel that was dialled from here: it has no PSM, and cannot be dialled.
  package func diallerEndpoint(of link: BluetoothLink) -> Endpoint {
    endpoint(of: link, "channel", channel)
  }

  private func endpoint(of link: BluetoothLink, _ name: String, _ number: UInt16) -> Endpoint {
    let digits = String(number, radix: 16)
    let padded = "0x" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    var parameters = [Endpoint.Parameter(name: name, value: padded)]
    if isRandom { parameters.append(Endpoint.Parameter(name: "type", value: "random")) }
    return Endpoint(scheme: link.scheme, address: address.description, parameters: parameters)
  }
}
