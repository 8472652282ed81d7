public import Glibc

/// An address as the system's socket calls take and give it, of any family.
public struct SocketAddress: Sendable {
  /// The address itself, in the layout of its family.
  public private(set) var storage = sockaddr_storage()
  /// How many bytes of the storage count.
  public private(set) var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

  /// The family, such as `AF_INET`.
  public var family: Int32 { Int32(storage.ss_family) }

  /// An address that `fill` writes; it gets the whole storage, and sets the length to what it has written.
  ///
  /// Returns nil when `fill` answers false.
  public init?(_ fill: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Bool) {
    var length = self.length
    // Unsafe: the storage is large enough and aligned for every address; the pointer is valid for the call.
    let isFilled = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe fill($0, &length) }
    }
    guard isFilled, length <= MemoryLayout<sockaddr_storage>.size else { return nil }
    self.length = length
  }

  /// Shows the address to a system call.
  public func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    // Unsafe: the pointer is valid for the call, and the storage is aligned for every address.
    unsafe withUnsafePointer(to: storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
    }
  }

  /// The address that the socket itself has, or nil where it has none.
  public init?(of descriptor: borrowing Descriptor) {
    let number = descriptor.number
    // Unsafe: C writes no more than the length that it is given.
    unsafe self.init { address, length in unsafe getsockname(number, address, &length) == 0 }
  }

  /// The address of the socket's peer, or nil where there is none.
  public init?(ofPeerOf descriptor: borrowing Descriptor) {
    let number = descriptor.number
    // Unsafe: C writes no more than the length that it is given.
    unsafe self.init { address, length in unsafe getpeername(number, address, &length) == 0 }
  }
}

extension Descriptor {
  /// Gives the socket an address of its own, and answers the system's error number, or 0.
  public func bind(to address: SocketAddress) -> Int32 {
    // Unsafe: C reads the address through a pointer that is valid for the call.
    let result = unsafe address.withPointer { unsafe Glibc.bind(number, $0, $1) }
    return result == 0 ? 0 : errno
  }

  /// Begins to connect the socket, and answers the system's error number, or 0.
  public func connect(to address: SocketAddress) -> Int32 {
    // Unsafe: C reads the address through a pointer that is valid for the call.
    let result = unsafe address.withPointer { unsafe Glibc.connect(number, $0, $1) }
    return result == 0 ? 0 : errno
  }

  /// Begins to listen, and answers the system's error number, or 0.
  public func listen(backlog: Int32) -> Int32 {
    Glibc.listen(number, backlog) == 0 ? 0 : errno
  }
}
