internal import Glibc
internal import Testing

/// The files of this repository.
enum Repository {
  /// The text of a file, by its path from the top.
  static func text(of path: String) throws -> String {
    let top = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    // Unsafe: C reads the path during the call, and fills no more than the buffer.
    let descriptor = unsafe open("/\(top)/\(path)", O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0, "\(path) cannot be opened")
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = unsafe read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
