import Foundation

/// A folder that is gone after the test.
struct TemporaryFolder: Sendable {
  let url: URL

  static func with<Value>(_ body: (TemporaryFolder) async throws -> Value) async throws -> Value {
    let url = FileManager.default.temporaryDirectory.appending(path: "checkin-ledger-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
      try? FileManager.default.removeItem(at: url)
    }
    return try await body(TemporaryFolder(url: url))
  }

  func path(_ name: String) -> String { url.appending(path: name).path }

  func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
  }

  func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: name.isEmpty ? url.path : path(name))
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: url.appending(path: name))
  }

  func read(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: url.appending(path: name)))
  }
}
