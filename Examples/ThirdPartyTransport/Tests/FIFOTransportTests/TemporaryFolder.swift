internal import Glibc

/// A folder of its own, which is removed with it. The transport has removed what was in it.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/fifo-test-XXXXXX".utf8CString)
    // Unsafe: C writes the name into the template, whose length stays.
    guard unsafe mkdtemp(&template) != nil else { fatalError("there is no place for a temporary folder") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    // Unsafe: C reads the path during the call.
    _ = unsafe rmdir(path)
  }
}
