internal import Glibc

/// Starts a program with its three descriptors.
enum ProcessSpawn {
  /// What one of the program's descriptors is.
  enum Place {
    /// A copy of one of ours.
    case copy(Int32)
    /// A file, opened by the program itself. The first terminal that it opens becomes its own.
    case file(String, flags: Int32)
    /// Nothing: the descriptor is closed.
    case closed
  }

  /// Starts `path`. Every signal has its usual effect in it, whatever this process ignores.
  static func start(
    _ path: String, _ arguments: [String], environment: [String], places: [Place], newSession: Bool
  ) throws(ProcessFailure) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    // Both structures are ours, and destroyed below; the system copies the paths.
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    for (descriptor, place) in places.enumerated() {
      switch place {
      case .copy(let own): unsafe posix_spawn_file_actions_adddup2(&actions, own, Int32(descriptor))
      case .file(let path, let flags):
        unsafe posix_spawn_file_actions_addopen(&actions, Int32(descriptor), path, flags, 0)
      case .closed: unsafe posix_spawn_file_actions_addclose(&actions, Int32(descriptor))
      }
    }
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    // POSIX_SPAWN_SETSID has no name in the module (spawn.h of glibc).
    let flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | (newSession ? 0x80 : 0)
    unsafe posix_spawnattr_setflags(&attributes, flags)

    var pid: pid_t = 0
    let code = unsafe withCStrings([path] + arguments) { arguments in
      unsafe withCStrings(environment) { environment in
        // All the pointers are good for the time of the call.
        unsafe posix_spawn(&pid, path, &actions, &attributes, arguments, environment)
      }
    }
    guard code == 0 else { throw ProcessFailure("\(path) cannot be started (errno \(code)).") }
    return pid
  }

  /// Two connected ends that no other program inherits.
  static func pair() throws(ProcessFailure) -> (ours: Int32, theirs: Int32) {
    var ends: [Int32] = [-1, -1]
    // The array is ours for the time of the call.
    let code = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
    guard code == 0 else { throw ProcessFailure("No more descriptors (errno \(errno)).") }
    return (ends[0], ends[1])
  }

  private static func withCStrings<Value>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value
  ) -> Value {
    let copies = unsafe strings.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    // Each copy lives until the end of this function.
    return unsafe (copies + [nil]).withUnsafeBufferPointer { unsafe body($0.baseAddress!) }
  }
}
