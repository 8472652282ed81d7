internal import Glibc

/// The system's calls on paths, with results in place of `errno`. Each hands a path to C, which reads it up to its end
/// during the call and keeps nothing: that is all that is unsafe here.
enum SystemFile {
  /// Opens a file; the descriptor is not given to other programs.
  static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) -> Result<Int32, SystemFault> {
    let descriptor = unsafe Glibc.open(path, flags | O_CLOEXEC | O_NOCTTY, mode)
    return descriptor >= 0 ? .success(descriptor) : .failure(SystemFault(errno))
  }

  /// Makes a new file of an unused name that ends with six letters, for the owner alone.
  static func openTemporary(prefix: String) -> Result<(descriptor: Int32, path: String), SystemFault> {
    var template = Array("\(prefix)XXXXXX".utf8CString)
    // The system replaces the six letters, inside the array.
    let descriptor = unsafe template.withUnsafeMutableBufferPointer { unsafe mkstemp($0.baseAddress!) }
    guard descriptor >= 0 else { return .failure(SystemFault(errno)) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return .success((descriptor, String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)))
  }

  static func rename(_ path: String, to new: String) -> SystemFault? {
    unsafe Glibc.rename(path, new) == 0 ? nil : SystemFault(errno)
  }

  static func link(_ path: String, to new: String) -> SystemFault? {
    unsafe Glibc.link(path, new) == 0 ? nil : SystemFault(errno)
  }

  static func unlink(_ path: String) {
    _ = unsafe Glibc.unlink(path)
  }

  static func makeDirectory(_ path: String, mode: UInt32) -> SystemFault? {
    unsafe mkdir(path, mode) == 0 ? nil : SystemFault(errno)
  }

  static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  static func mayWrite(_ path: String) -> Bool {
    unsafe access(path, W_OK) == 0
  }

  /// The path without links, of something that is there.
  static func resolved(_ path: String) -> String? {
    guard let text = unsafe realpath(path, nil) else { return nil }
    // The system has made the text for us.
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }

  /// The kind and permissions of what stands at the path itself, which may be a link; nil where nothing does.
  static func ownMode(_ path: String) -> UInt32? {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? status.st_mode : nil
  }

  /// The kind and permissions of a file.
  static func mode(_ path: String) -> UInt32? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode : nil
  }

  /// The names in a folder; empty when it cannot be read.
  static func names(in directory: String) -> [String] {
    guard let stream = unsafe opendir(directory) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    // The entry belongs to the stream until the next call; its name is copied at once.
    while let entry = unsafe readdir(stream) {
      names.append(
        unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
          unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
      )
    }
    return names
  }
}
