internal import Synchronization

/// Tells when a file has become another, and when someone asks to read it again.
package final class FileWatch: Sendable {
  private let path: String
  /// From before the first reading, so that no change is missed.
  private let first: FileStamp
  private let isAsked = Mutex(false)
  private let signs = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Watches the file from now on; make it before the file is read.
  package init(_ path: String) {
    self.path = path
    first = FileStamp(path)
  }

  /// Asks to read the file again, changed or not.
  package func ask() {
    isAsked.withLock { $0 = true }
    signs.continuation.yield()
  }

  /// Looks at the file every two seconds, and at once when it is asked to. Calls `changed` when the file is another than at
  /// the last look, and each time that it was asked; until the task is cancelled.
  package func run(changed: () async -> Void) async {
    let ticking = Task { [signs] in
      while (try? await Task.sleep(for: .seconds(2))) != nil { signs.continuation.yield() }
    }
    defer { ticking.cancel() }
    var last = first
    for await _ in signs.stream {
      let isAsked = isAsked.withLock { isAsked in
        defer { isAsked = false }
        return isAsked
      }
      let now = FileStamp(path)
      guard isAsked || now != last else { continue }
      last = now
      await changed()
    }
  }
}
