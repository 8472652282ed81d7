internal import Glibc

/// An open file of the system, closed with it.
struct Descriptor: ~Copyable, Sendable {
  let number: Int32

  init(owning number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Opens a file without waiting; the system's error number where it cannot.
  static func open(_ path: String, _ flags: Int32) -> Result<Int32, FileFault> {
    // Unsafe: C reads the path during the call.
    let number = unsafe Glibc.open(path, flags | O_NONBLOCK | O_CLOEXEC)
    return number >= 0 ? .success(number) : .failure(FileFault(number: errno))
  }
}

/// An error number of the system.
struct FileFault: Error {
  let number: Int32
}

/// Calls on files that have a name.
enum NamedFile {
  /// Makes a named pipe that only the same user can open.
  static func makePipe(_ path: String) -> FileFault? {
    // Unsafe: C reads the path during the call.
    unsafe mkfifo(path, 0o600) == 0 ? nil : FileFault(number: errno)
  }

  static func remove(_ path: String) {
    // Unsafe: C reads the path during the call.
    _ = unsafe unlink(path)
  }

  /// Whether the path still means the open file.
  static func isSame(_ path: String, as number: Int32) -> Bool {
    var named = stat()
    var opened = stat()
    // Unsafe: C reads the path and fills the structures during the calls.
    guard unsafe stat(path, &named) == 0, unsafe fstat(number, &opened) == 0 else { return false }
    return named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
  }

  static func isPipe(_ number: Int32) -> Bool {
    var opened = stat()
    // Unsafe: C fills the structure during the call.
    return unsafe fstat(number, &opened) == 0 && opened.st_mode & S_IFMT == S_IFIFO
  }
}
