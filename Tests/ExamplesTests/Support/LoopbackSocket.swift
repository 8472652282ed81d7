internal import Foundation
internal import Glibc
internal import TestSupport

/// Plain TCP sockets on this machine.
enum LoopbackSocket {
  /// A socket that listens on a free port, and that port.
  static func listening() throws(ProcessFailure) -> (descriptor: Int32, port: UInt16) {
    let descriptor = try fresh()
    guard unsafe call(bind, descriptor, "127.0.0.1", 0), listen(descriptor, 64) == 0 else { throw fault(descriptor) }
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Unsafe: the structure is ours for the time of the call, and an address of this family is one of any.
    let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &length) }
    }
    guard code == 0 else { throw fault(descriptor) }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// A socket that is connected.
  ///
  /// - Parameters:
  ///   - endpoint: such as `tcp://127.0.0.1:7443`.
  ///   - source: the host that it comes from, such as `127.0.0.2`.
  static func connected(to endpoint: String, from source: String? = nil) throws(ProcessFailure) -> Int32 {
    guard let port = endpoint.split(separator: ":").last.flatMap({ UInt16($0) }) else {
      throw ProcessFailure("“\(endpoint)” has no port.")
    }
    let descriptor = try fresh()
    if let source, unsafe !call(bind, descriptor, source, 0) { throw fault(descriptor) }
    guard unsafe call(connect, descriptor, "127.0.0.1", port) else { throw fault(descriptor) }
    return descriptor
  }

  private static func fresh() throws(ProcessFailure) -> Int32 {
    let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw ProcessFailure("There is no socket left (errno \(errno)).") }
    return descriptor
  }

  private static func fault(_ descriptor: Int32) -> ProcessFailure {
    let error = errno
    close(descriptor)
    return ProcessFailure("A socket could not be used (errno \(error)).")
  }

  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32, _ host: String,
    _ port: UInt16
  ) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    // Unsafe: the structures are ours for the time of the calls, and an address of this family is one of any.
    guard unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return false }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe function(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}

/// Runs something that blocks on a thread of its own.
func detach(_ body: @escaping @Sendable () -> Void) {
  Thread.detachNewThread(body)
}
