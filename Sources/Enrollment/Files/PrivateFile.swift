internal import Glibc

/// Files and folders that their owner alone may read: mode 0600 and 0700. Each call hands a path to C, which reads it up to its
/// end during the call and keeps nothing: that is all that is unsafe here.
package enum PrivateFile {
  /// Why a file or folder cannot be used.
  package struct Failure: Error, CustomStringConvertible {
    /// The number, as in `errno`.
    package let code: Int32
    /// What it was about.
    package let path: String
    /// What is wrong with it, where the system has nothing against it.
    private let fault: String?

    init(code: Int32, path: String, fault: String? = nil) {
      self.code = code
      self.path = path
      self.fault = fault
    }

    /// A sentence for people.
    package var description: String {
      if let fault { return "“\(path)” cannot be used: \(fault)." }
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
    if unsafe mkdir(path, 0o700) == 0 { return synchroniseFolder(of: path) }
    let code = errno
    var status = stat()
    guard code == EEXIST, unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw Failure(code: code, path: path, fault: code == EEXIST ? "it is no folder" : nil)
    }
  }

  /// Makes a folder for what nobody else may put anything into, unless it is there.
  package static func makeOwnDirectory(_ path: String) throws(Failure) {
    try makeDirectory(path)
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw Failure(code: errno, path: path) }
    guard status.st_uid == geteuid() || geteuid() == 0 else {
      throw Failure(code: EACCES, path: path, fault: "it belongs to another user")
    }
    guard status.st_mode & 0o002 == 0 else {
      throw Failure(
        code: EACCES, path: path,
        fault: "everybody on this machine may write into it. Correct that with “chmod 700 \(path)”")
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
  ///
  /// - Parameter isSecret: whether a file that others may read is refused.
  package static func read(_ path: String, limit: Int, isSecret: Bool = false) throws(Failure) -> [UInt8] {
    let (descriptor, status) = try open(path, O_RDONLY)
    defer { close(descriptor) }
    guard status.st_size <= limit else {
      throw Failure(code: EFBIG, path: path, fault: "it is larger than it can be")
    }
    guard !isSecret || status.st_mode & 0o077 == 0 else {
      throw Failure(
        code: EACCES, path: path,
        fault: "others on this machine may read it, and it holds a secret. Correct that with “chmod 600 \(path)”")
    }
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
    // Without another copy, which nobody would wipe.
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// How many bytes a file has; nil where there is none.
  package static func size(_ path: String) -> UInt64? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return UInt64(status.st_size)
  }

  /// Adds bytes at the end of a file of that size, and makes it where there is none.
  package static func append(_ bytes: [UInt8], to path: String) throws(Failure) {
    let (descriptor, _) = try open(path, O_WRONLY | O_CREAT | O_APPEND)
    let code = writeAll(bytes, to: descriptor)
    let closed = close(descriptor) == 0 ? 0 : errno
    guard code == 0, closed == 0 else { throw Failure(code: code != 0 ? code : closed, path: path) }
  }

  /// Brings a file to the disk and gives it its name.
  package static func publish(_ path: String, as name: String) throws(Failure) {
    let (descriptor, _) = try open(path, O_RDONLY)
    let synchronised = fsync(descriptor) == 0 ? 0 : errno
    close(descriptor)
    guard synchronised == 0 else { throw Failure(code: synchronised, path: path) }
    guard unsafe rename(path, name) == 0 else { throw Failure(code: errno, path: name) }
    synchroniseFolder(of: name)
  }

  /// Removes a file, if it is there; whether nothing is there now.
  @discardableResult
  package static func remove(_ path: String) -> Bool {
    unsafe unlink(path) == 0 || errno == ENOENT
  }

  /// Removes a folder, if it is empty.
  package static func removeDirectory(_ path: String) {
    _ = unsafe rmdir(path)
  }

  /// Removes what calls that were interrupted have left in a folder: files that never got their name.
  ///
  /// - Parameter age: how old they are at least, so that nothing is taken away from another program that is at work there.
  package static func removeUnfinished(in folder: String, olderThan age: Duration) {
    for name in names(in: folder) where name.hasPrefix(unfinished) {
      var status = stat()
      guard unsafe lstat("\(folder)/\(name)", &status) == 0 else { continue }
      if Int64(time(nil)) - Int64(status.st_mtim.tv_sec) >= age.components.seconds { remove("\(folder)/\(name)") }
    }
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

  /// What the names of files begin with that are not whole yet.
  private static let unfinished = ".unfinished-"

  /// Opens an ordinary file: no link, no pipe, which would be waited for.
  private static func open(_ path: String, _ flags: Int32) throws(Failure) -> (descriptor: Int32, status: stat) {
    let descriptor = unsafe Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      throw Failure(code: code, path: path, fault: code == ELOOP ? "it is a symbolic link" : nil)
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw Failure(code: code, path: path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw Failure(code: EINVAL, path: path, fault: "it is no ordinary file")
    }
    return (descriptor, status)
  }

  private static func stage(_ bytes: [UInt8], beside path: String) throws(Failure) -> String {
    var template = Array("\(folder(of: path))/\(unfinished)XXXXXX".utf8CString)
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
    let descriptor = unsafe Glibc.open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }
}
