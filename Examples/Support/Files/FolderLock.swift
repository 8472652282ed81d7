internal import Glibc

/// Keeps other programs out of a folder while this value lives, by a lock on a file in it (`flock`). The system lets go of it
/// also when the program crashes.
package struct FolderLock: ~Copyable {
  private let descriptor: Int32

  /// Waits for the lock, at most `time`.
  ///
  /// - Parameter who: who else may be at work there, for the error.
  /// - Throws: ``FileError`` with ``ExitStatus/unavailable`` when another program keeps it.
  package init(
    _ directory: String, atMost time: Duration = .seconds(10), against who: String = "organizer"
  ) throws(FileError) {
    descriptor = try Self.lock(directory, atMost: time, who)
  }

  deinit {
    close(descriptor)
  }

  private static func lock(_ directory: String, atMost time: Duration, _ who: String) throws(FileError) -> Int32 {
    let path = "\(directory)/.lock"
    let descriptor: Int32
    switch SystemFile.open(path, O_RDWR | O_CREAT, mode: 0o600) {
    case .success(let opened): descriptor = opened
    case .failure(let fault): throw .cannotWrite(path, "lock file", fault.code)
    }
    let deadline = ContinuousClock.now + time
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      guard code == EWOULDBLOCK || code == EINTR else {
        close(descriptor)
        throw .cannotWrite(path, "lock file", code)
      }
      guard ContinuousClock.now < deadline else {
        close(descriptor)
        throw FileError(
          .unavailable,
          "Another \(who) is at work in “\(directory.printable)”. Wait until it is done, and try again.")
      }
      usleep(20_000)
    }
    return descriptor
  }
}
