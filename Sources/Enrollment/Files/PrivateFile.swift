internal import Glibc

/// Files and folders that their owner alone may read: mode 0600 and 0700. Each call hands a path to C, which reads it up to its
/// end during the call and keeps nothing: that is all that is unsafe here.
package enum PrivateFile {
  /// What the system said.
  package struct Failure: Error, CustomStringConvertible {
    /// The number, as in `errno`.
    package let code: Int32
    /// What it was about.
    package let path: String

    /// A sentence for people.
    package var description: String {
      var buffer = [CChar](repeating: 0, count: 128)
      // Unsafe: the system writes at most `count` bytes, with a zero at the end.
      let known = unsafe strerror_r(code, &buffer, buffer.count) == 0
      let words = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return "“\(path)” cannot be used: \(known ? words : "error \(code)")."
    }

    /// Whether there is nothing at the path.
    package var isMissing: Bool { code == ENOENT }
  }

  /// Makes a folder, unless it is there.
  package static func makeDirectory(_ path: String) throws(Failure) {
    if unsafe mkdir(path, 0o700) == 0 { return }
    let code = errno
    var status = stat()
    guard code == EEXIST, unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw Failure(code: code, path: path)
    }
  }

  /// Writes a file so that at any moment, also after a crash, there is the old content or the new, whole.
  package static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    let temporary = try stage(bytes, beside: path)
    guard unsafe rename(temporary, path) == 0 else {
      let code = errno
      _ = unsafe unlink(temporary)
      throw Failure(code: code, path: path)
    }
    synchroniseFolder(of: path)
  }

  /// Writes a file under a name that nothing has yet; false when something has it.
  package static func create(_ bytes: [UInt8], at path: String) throws(Failure) -> Bool {
    let temporary = try stage(bytes, beside: path)
    defer { _ = unsafe unlink(temporary) }
    guard unsafe link(temporary, path) != 0 else {
      synchroniseFolder(of: path)
      return true
    }
    guard errno == EEXIST else { throw Failure(code: errno, path: path) }
    return false
  }

  /// The whole content of a file of at most `limit` bytes.
  package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw Failure(code: errno, path: path) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw Failure(code: errno, path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(code: EINVAL, path: path) }
    guard status.st_size <= limit else { throw Failure(code: EFBIG, path: path) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      // Unsafe: the system writes at most the rest of the array.
      let read = unsafe bytes.withUnsafeMutableBytes {
        unsafe Glibc.read(descriptor, $0.baseAddress! + count, $0.count - count)
      }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { throw Failure(code: errno, path: path) }
      if read == 0 { break }
      count += read
    }
    return Array(bytes.prefix(count))
  }

  /// How many bytes a file has; nil where there is none.
  package static func size(_ path: String) -> UInt64? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return UInt64(status.st_size)
  }

  /// Adds bytes at the end of a file of that size, and makes it where there is none.
  package static func append(_ bytes: [UInt8], to path: String) throws(Failure) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Failure(code: errno, path: path) }
    let code = writeAll(bytes, to: descriptor)
    let closed = close(descriptor) == 0 ? 0 : errno
    guard code == 0, closed == 0 else { throw Failure(code: code != 0 ? code : closed, path: path) }
  }

  /// Brings a file to the disk and gives it its name.
  package static func publish(_ path: String, as name: String) throws(Failure) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(code: errno, path: path) }
    let synchronised = fsync(descriptor) == 0 ? 0 : errno
    close(descriptor)
    guard synchronised == 0 else { throw Failure(code: synchronised, path: path) }
    guard unsafe rename(path, name) == 0 else { throw Failure(code: errno, path: name) }
    synchroniseFolder(of: name)
  }

  /// Removes a file, if it is there.
  package static func remove(_ path: String) {
    _ = unsafe unlink(path)
  }

  /// The names in a folder.
  package static func names(in directory: String) -> [String] {
    guard let stream = unsafe opendir(directory) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    // The entry belongs to the stream until the next call; its name is copied at once.
    while let entry = unsafe readdir(stream) {
      names.append(
        unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
          unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names.filter { $0 != "." && $0 != ".." }
  }

  private static func stage(_ bytes: [UInt8], beside path: String) throws(Failure) -> String {
    var template = Array("\(folder(of: path))/.unfinished-XXXXXX".utf8CString)
    // Unsafe: the system replaces the six letters, inside the array. The mode is 0600.
    let descriptor = unsafe template.withUnsafeMutableBufferPointer { unsafe mkstemp($0.baseAddress!) }
    guard descriptor >= 0 else { throw Failure(code: errno, path: path) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var code = writeAll(bytes, to: descriptor)
    if code == 0, fsync(descriptor) != 0 { code = errno }
    if close(descriptor) != 0, code == 0 { code = errno }
    guard code == 0 else {
      _ = unsafe unlink(temporary)
      throw Failure(code: code, path: path)
    }
    return temporary
  }

  /// Writes all bytes; 0, or the `errno` of the failure.
  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var offset = 0
    while offset < bytes.count {
      // Unsafe: the system reads at most the rest of the array.
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress! + offset, $0.count - offset)
      }
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      offset += count
    }
    return 0
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func synchroniseFolder(of path: String) {
    // The content is safe already; a file system that cannot synchronise folders renames in order.
    let descriptor = unsafe open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }
}
