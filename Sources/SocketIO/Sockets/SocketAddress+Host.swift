internal import Glibc

extension SocketAddress {
  /// What tells the machine at this address from others, for limits on each peer (R19): the IPv4 address, or the first
  /// 64 bits of the IPv6 address, because a network gives each of its machines that many to choose the rest from
  /// (RFC 4291 §2.5.1); the device's address with Bluetooth, which a phone changes from time to time. Nil in other
  /// families.
  var host: String? {
    switch family {
    case AF_INET:
      // Unsafe: in this family the storage holds this structure, and is aligned for it; it is copied.
      let address = unsafe withUnsafePointer(to: storage) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { unsafe $0.pointee.sin_addr.s_addr }
      }
      return SocketAddress.dotted(UInt32(bigEndian: address))
    case AF_INET6:
      // Unsafe: as above. The union is sixteen bytes in each of its forms.
      let words = unsafe withUnsafePointer(to: storage) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
          unsafe pointer.pointee.sin6_addr.__in6_u.__u6_addr32
        }
      }
      let (first, second) = (UInt32(bigEndian: words.0), UInt32(bigEndian: words.1))
      // ::ffff:a.b.c.d is an IPv4 peer at a socket for both (RFC 4291 §2.5.5.2).
      if first == 0, second == 0, UInt32(bigEndian: words.2) == 0xffff {
        return SocketAddress.dotted(UInt32(bigEndian: words.3))
      }
      let groups = [first >> 16, first & 0xffff, second >> 16, second & 0xffff]
      return groups.map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    case AF_BLUETOOTH:
      // Unsafe: within the storage. Family and PSM take four bytes; the device follows, the last of its bytes first.
      let bytes = unsafe withUnsafeBytes(of: storage) { storage in unsafe Array(storage[4..<10].reversed()) }
      return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
    default:
      return nil
    }
  }

  private static func dotted(_ address: UInt32) -> String {
    "\(address >> 24).\(address >> 16 & 0xff).\(address >> 8 & 0xff).\(address & 0xff)"
  }
}
