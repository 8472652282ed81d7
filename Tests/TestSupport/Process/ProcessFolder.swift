internal import Foundation

/// A folder that is gone after the test.
package struct ProcessFolder: Sendable {
  /// Its path. It is short, because addresses of the Unix transport have little room.
  package let path: String

  /// Makes a folder for the time of the call.
  package static func with<Value>(_ body: (ProcessFolder) async throws -> Value) async throws -> Value {
    let name = "checkin-\(UInt64.random(in: 0...UInt64.max) % 0x1_0000_0000)"
    let url = FileManager.default.temporaryDirectory.appending(path: name)
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: url) }
    return try await body(ProcessFolder(path: url.path))
  }

  /// The path of something in it.
  package func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file and answers its path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(filePath: path(name)))
    return path(name)
  }
}
