internal import CheckIn
internal import Glibc
internal import SocketIO

/// Keeps other listeners of this kind out of a directory while one looks at a socket file, removes it, and makes its
/// own: without it two of them could each take the other's new socket for one that was left.
struct DirectoryLock: ~Copyable {
  /// The directory; its lock goes with it (flock(2)).
  private let directory: Descriptor

  /// Takes the lock, or answers nil: when the directory cannot be opened, or when somebody has held it for two seconds.
  static func take(forFileAt path: String) async -> DirectoryLock? {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    // Unsafe: C reads the path during the call.
    let number = unsafe open(end == path.startIndex ? "/" : String(path[..<end]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let directory = Descriptor(owning: number)
    let deadline = ContinuousClock.now + .seconds(2)
    while flock(directory.number, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, .now < deadline, !Task.isCancelled else { return nil }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return DirectoryLock(directory: directory)
  }
}
