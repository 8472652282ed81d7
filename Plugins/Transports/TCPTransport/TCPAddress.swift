internal import CheckIn
internal import Glibc
internal import SocketIO

/// Host and port, as they are written in an endpoint.
struct TCPAddress: Hashable, Sendable {
  /// An address, without brackets, or a name.
  let host: String
  let port: UInt16
  /// The host is an address, so nobody has to be asked for it.
  let isNumeric: Bool

  init(_ endpoint: Endpoint) throws(TransportError) {
    guard endpoint.scheme == "tcp" else {
      throw TransportError(.unsupported, "The TCP transport serves tcp://, not \(endpoint.scheme)://.")
    }
    if let parameter = endpoint.parameters.first {
      throw endpoint.malformed("tcp:// has no parameter “\(parameter.name)”; it has none at all")
    }
    let text = endpoint.address
    guard let colon = text.lastIndex(of: ":") else { throw endpoint.malformed("the port is missing, as in :7443") }
    let digits = text[text.index(after: colon)...]
    guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
      let port = UInt16(digits)
    else { throw endpoint.malformed("“\(digits.prefix(20))” is not a port: take 0 to 65535") }
    self.port = port
    let host = text[..<colon]
    if host.first == "[" {
      guard host.last == "]" else { throw endpoint.malformed("the bracket is not closed") }
      self.host = String(host.dropFirst().dropLast())
      isNumeric = true
      guard self.host.contains(":"), NameLookUps.numeric(self) != nil else {
        throw endpoint.malformed("“\(self.host.prefix(60))” is not an IPv6 address")
      }
    } else {
      self.host = String(host)
      isNumeric = host.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
      guard !host.isEmpty else { throw endpoint.malformed("the host is missing") }
      guard !host.contains(":") else {
        throw endpoint.malformed("an IPv6 address stands in brackets, as in [::1]:7443")
      }
      if isNumeric {
        guard self.host.split(separator: ".").count == 4, NameLookUps.numeric(self) != nil else {
          throw endpoint.malformed("“\(self.host.prefix(60))” is not an IPv4 address")
        }
      } else {
        let isName = self.host.utf8.allSatisfy { byte in
          (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45 || byte == 46
            || byte == 95 || byte >= 128
        }
        guard isName, self.host.utf8.count <= 253 else {
          throw endpoint.malformed("“\(self.host.prefix(60))” is neither an address nor a name")
        }
      }
    }
  }
}

extension Endpoint {
  func malformed(_ why: String) -> TransportError {
    TransportError(.addressMalformed, "\(description.prefix(120)): \(why).")
  }

  /// The endpoint of an IPv4 or IPv6 address.
  init?(_ address: SocketAddress) {
    // In figures: an IPv6 address with the name of an interface behind it, at most.
    var host = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN) + 1 + Int(IF_NAMESIZE))
    var service = [CChar](repeating: 0, count: Int(NI_MAXSERV))
    let flags = Int32(NI_NUMERICHOST | NI_NUMERICSERV)
    // Unsafe: C writes terminated texts within the lengths that it is given.
    let result = unsafe address.withPointer { pointer, length in
      unsafe getnameinfo(
        pointer, length, &host, socklen_t(host.count), &service, socklen_t(service.count), flags)
    }
    guard result == 0 else { return nil }
    let name = host.text
    self.init(
      scheme: "tcp", address: address.family == AF_INET6 ? "[\(name)]:\(service.text)" : "\(name):\(service.text)")
  }
}

extension [CChar] {
  /// The text up to the terminating zero.
  fileprivate var text: String {
    String(decoding: prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension SocketAddress {
  /// Whether it stands for every address of a machine.
  var isWildcard: Bool {
    // Unsafe: the family says which structure lies there.
    unsafe withPointer { pointer, _ in
      switch family {
      case AF_INET:
        return unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          unsafe $0.pointee.sin_addr.s_addr == 0
        }
      case AF_INET6:
        return unsafe pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
          let words = unsafe address.pointee.sin6_addr.__in6_u.__u6_addr32
          return words.0 == 0 && words.1 == 0 && words.3 == 0 && (words.2 == 0 || words.2 == UInt32(0xffff).bigEndian)
        }
      default: return false
      }
    }
  }
}
