internal import Glibc

/// Ends this run of the program as a power cut would, and begins another: every thread, every byte that is still in
/// memory and every descriptor is gone at once, with no code of ours run.
enum ProgramRestart {
  /// Begins again with these arguments.
  static func now(arguments: [String]) -> Never {
    let program = CommandLine.arguments.first ?? "conformance"
    // Unsafe: the texts and the list live until the program is replaced, or ends.
    var list: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map { unsafe strdup($0) }
    unsafe list.append(nil)
    _ = unsafe execv("/proc/self/exe", &list)
    _exit(70)
  }
}
