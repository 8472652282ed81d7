internal import Glibc

/// What tells whether a file has changed: which file it is, its size and its time of change.
package struct FileStamp: Hashable, Sendable {
  private let file: UInt64
  private let size: Int64
  private let seconds: Int64
  private let nanoseconds: Int64

  /// The file's stamp now; a file that is not there has a stamp too.
  package init(_ path: String) {
    var status = stat()
    // The structure is ours for the time of the call; one that was not filled is all zeros.
    _ = unsafe stat(path, &status)
    file = UInt64(status.st_ino)
    size = Int64(status.st_size)
    seconds = Int64(status.st_mtim.tv_sec)
    nanoseconds = Int64(status.st_mtim.tv_nsec)
  }
}
