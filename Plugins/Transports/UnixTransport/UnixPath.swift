internal import CheckIn
internal import Glibc
internal import SocketIO

/// Where a socket lies in the file system, and who may use it.
struct UnixPath: Sendable {
  /// Which file: a path may come to mean another.
  struct File: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
  }

  /// A socket that listens, and its file.
  struct Listening: ~Copyable {
    let descriptor: Descriptor
    let file: File
  }

  let text: String
  let address: SocketAddress
  private let mode: mode_t

  var endpoint: Endpoint { Endpoint(scheme: "unix", address: text) }

  init(_ endpoint: Endpoint) throws(TransportError) {
    guard endpoint.scheme == "unix" else {
      throw TransportError(.unsupported, "The Unix transport serves unix://, not \(endpoint.scheme)://.")
    }
    for parameter in endpoint.parameters where parameter.name != "mode" {
      throw endpoint.malformed("unix:// has no parameter “\(parameter.name)”; it has “mode”")
    }
    let digits = endpoint.parameter("mode") ?? "0600"
    guard (3...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...55).contains($0) }),
      let mode = mode_t(digits, radix: 8), mode <= 0o777
    else {
      throw endpoint.malformed("“\(digits.prefix(20))” is not a file mode: take three or four octal digits, as in 0660")
    }
    guard endpoint.address.utf8.first == UInt8(ascii: "/") else {
      throw endpoint.malformed("the path is not absolute: write three slashes, as in unix:///run/checkin.sock")
    }
    guard endpoint.address.utf8.last != UInt8(ascii: "/") else {
      throw endpoint.malformed("the path names a directory")
    }
    guard !endpoint.address.utf8.contains(0) else { throw endpoint.malformed("the path has a zero byte in it") }
    guard let address = SocketAddress(path: endpoint.address) else {
      throw endpoint.malformed("the path is longer than 107 bytes, which is all that a socket can have")
    }
    text = endpoint.address
    self.address = address
    self.mode = mode
  }

  /// A socket that listens at the path. The caller holds the directory's lock.
  func bind(backlog: Int32) throws(TransportError) -> Listening {
    // The second attempt is for a file that was left, the third for one that went away while we looked.
    for _ in 0..<3 {
      let descriptor = try Descriptor.stream(family: AF_UNIX)
      // Before the file exists it has its mode already: at no moment can others connect.
      _ = fchmod(descriptor.number, mode)
      switch descriptor.bind(to: address) {
      case 0:
        guard let file = file else { throw TransportError(.other, "The socket file is gone already.") }
        return Listening(descriptor: try listening(descriptor, file, backlog), file: file)
      case EADDRINUSE: try removeLeftOver()
      case ENOENT, ENOTDIR:
        throw TransportError(.addressUnavailable, "The directory does not exist. Make it, or take another path.")
      case let error: throw TransportError(system: error, "The socket file cannot be made")
      }
    }
    throw TransportError(.addressInUse, "Another program takes the path again and again.")
  }

  /// Removes the socket file, unless the path has come to mean another file.
  func remove(ifStill file: File) {
    // Unsafe: C reads the path during the call.
    if self.file == file { _ = unsafe unlink(text) }
  }

  private func listening(
    _ descriptor: consuming Descriptor, _ file: File, _ backlog: Int32
  ) throws(TransportError) -> Descriptor {
    // The process's umask may have taken away what the mode grants. Unsafe: C reads the path during the call.
    let isOpen = unsafe chmod(text, mode) == 0
    let error = isOpen ? descriptor.listen(backlog: backlog) : errno
    guard error == 0 else {
      remove(ifStill: file)
      throw TransportError(system: error, "Listening failed")
    }
    return descriptor
  }

  /// Removes what lies at the path, if it is a socket on which nobody listens.
  private func removeLeftOver() throws(TransportError) {
    guard let (file, isSocket) = status else { return }
    guard isSocket else {
      throw TransportError(.addressInUse, "A file lies there that is not a socket. Remove it, or take another path.")
    }
    // A datagram socket cannot be connected to a stream socket, but the attempt tells whether there is one behind the
    // file (EPROTOTYPE), and leaves nothing in its queue.
    let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw TransportError(system: errno, "A socket cannot be opened") }
    let probe = Descriptor(owning: number)
    switch probe.connect(to: address) {
    case ECONNREFUSED: remove(ifStill: file)
    case ENOENT: return
    case EACCES, EPERM:
      throw TransportError(.addressInUse, "A socket of another user lies there. Remove it, or take another path.")
    default: throw TransportError(.addressInUse, "Another program listens there. End it, or take another path.")
    }
  }

  private var file: File? { status?.file }

  private var status: (file: File, isSocket: Bool)? {
    var status = stat()
    // Unsafe: C reads the path and writes the structure during the call.
    guard unsafe lstat(text, &status) == 0 else { return nil }
    return (File(device: UInt64(status.st_dev), number: UInt64(status.st_ino)), status.st_mode & S_IFMT == S_IFSOCK)
  }
}

extension Endpoint {
  fileprivate func malformed(_ why: String) -> TransportError {
    TransportError(.addressMalformed, "\(description.prefix(160)): \(why).")
  }
}
