internal import CheckIn
internal import Glibc
internal import Synchronization

/// Where a listener's pipe lies.
struct FIFOPath: Sendable {
  let text: String

  var endpoint: Endpoint { Endpoint(scheme: "fifo", address: text) }

  init(_ endpoint: Endpoint) throws(TransportError) {
    guard endpoint.scheme == "fifo" else {
      throw TransportError(.unsupported, "The FIFO transport serves fifo://, not \(endpoint.scheme)://.")
    }
    let path = endpoint.address
    let fault: String? =
      if !endpoint.parameters.isEmpty { "fifo:// has no parameters" } else if path.utf8.first != UInt8(ascii: "/") {
        "the path is not absolute"
      } else if path.utf8.last == UInt8(ascii: "/") { "the path names a folder" } else if path.utf8.contains(0) {
        "the path has a zero byte in it"
      } else if path.utf8.count > FIFOTransport.longestPath {
        "the path is longer than \(FIFOTransport.longestPath) bytes"
      } else { nil }
    if let fault { throw TransportError(.addressMalformed, "“\(path.prefix(80))” cannot be used: \(fault).") }
    text = path
  }

  /// The names of one connection's pipes, behind the path.
  private static let last = Atomic<Int>(0)

  /// A name for a new connection, which no other has: process and number.
  static func newName() -> String {
    "\(getpid()).\(last.add(1, ordering: .relaxed).newValue)"
  }

  func up(_ name: String) -> String { "\(text).\(name).up" }
  func down(_ name: String) -> String { "\(text).\(name).down" }
  func dialler(_ name: String) -> Endpoint { Endpoint(scheme: "fifo", address: "\(text).\(name)") }
}
