internal import Glibc

/// What the system says about this process.
package enum ProcessFigures {
  /// How many descriptors are open.
  package static var openDescriptors: Int {
    // Unsafe: C owns the directory stream until `closedir`.
    guard let directory = unsafe opendir("/proc/self/fd") else { return 0 }
    var count = 0
    while unsafe readdir(directory) != nil { count += 1 }
    unsafe closedir(directory)
    // Without the two entries for the folder and its parent, and without the one that read it.
    return max(0, count - 3)
  }

  /// A number of `/proc/self/status` in bytes, such as `VmPeak`; nil where there is none.
  static func memory(_ name: String) -> Int? {
    // Unsafe: C reads the name during the call, and fills no more than the buffer.
    let descriptor = unsafe open("/proc/self/status", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 8192)
    let count = unsafe read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return nil }
    for line in String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n") {
      let words = line.split { $0 == " " || $0 == "\t" || $0 == ":" }
      if words.first == name[...], words.count > 1, let kibibytes = Int(words[1]) { return kibibytes * 1024 }
    }
    return nil
  }
}

/// Lowers how many descriptors the process may open, and sets it back.
struct DescriptorLimit: ~Copyable {
  private let before: rlimit

  private init(before: rlimit) {
    self.before = before
  }

  /// From now on no descriptor can be opened; nil where the system does not permit the change.
  static func none() -> DescriptorLimit? {
    // The system gives the lowest number that is free. Unsafe: C reads the name during the call.
    let lowest = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard lowest >= 0 else { return nil }
    close(lowest)
    var limit = rlimit()
    // Unsafe: C writes, then reads, this structure.
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    let before = limit
    limit.rlim_cur = rlim_t(lowest)
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    return DescriptorLimit(before: before)
  }

  deinit {
    var limit = before
    // Unsafe: C reads this structure.
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
