internal import CheckIn
internal import Glibc
internal import SocketIO

extension SocketAddress {
  private static let pathOffset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2

  /// An address without a name. A socket that is bound to it gets one from the system.
  static var unnamed: SocketAddress? {
    unix([])
  }

  /// The address of a path; nil when it is too long.
  init?(path: String) {
    guard let address = Self.unix(Array(path.utf8) + [0]) else { return nil }
    self = address
  }

  private static func unix(_ name: [UInt8]) -> SocketAddress? {
    guard name.count <= MemoryLayout<sockaddr_un>.size - pathOffset else { return nil }
    // Unsafe: the storage is larger than a Unix address, and the length was checked.
    return unsafe SocketAddress { address, length in
      unsafe address.pointee.sa_family = sa_family_t(AF_UNIX)
      let memory = UnsafeMutableRawPointer(address)
      for (index, byte) in name.enumerated() {
        unsafe memory.storeBytes(of: byte, toByteOffset: pathOffset + index, as: UInt8.self)
      }
      length = socklen_t(pathOffset + name.count)
      return true
    }
  }

  /// The endpoint of a named address: a path, or, with an at sign in front, a name that the system keeps.
  var unixEndpoint: Endpoint? {
    // Unsafe: the system has filled `length` bytes.
    let name: [UInt8] = unsafe withPointer { pointer, length in
      let memory = unsafe UnsafeRawBufferPointer(start: pointer, count: Int(length))
      return unsafe Array(memory.dropFirst(Self.pathOffset))
    }
    guard let first = name.first else { return nil }
    let isPath = first != 0
    let text = String(decoding: isPath ? name.prefix { $0 != 0 } : name.dropFirst(), as: UTF8.self)
    return Endpoint(scheme: "unix", address: isPath ? text : "@\(text)")
  }
}

extension Descriptor {
  /// Who is at the other end, as the system knows it from when the connection was made.
  var peerCredentials: (process: Int32, user: UInt32)? {
    // struct ucred: process, user, group (unix(7)).
    var credentials: (Int32, UInt32, UInt32) = (0, 0, 0)
    var length = socklen_t(MemoryLayout.size(ofValue: credentials))
    // Unsafe: C writes no more than the length that it is given.
    let result = unsafe getsockopt(number, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
    return result == 0 ? (credentials.0, credentials.1) : nil
  }
}

extension Endpoint {
  /// The endpoint of a program that has given its socket no name. It cannot be dialled.
  static func unnamedUnix(process: Int32, user: UInt32) -> Endpoint {
    Endpoint(
      scheme: "unix", address: "unnamed",
      parameters: [Parameter(name: "pid", value: "\(process)"), Parameter(name: "uid", value: "\(user)")])
  }
}
