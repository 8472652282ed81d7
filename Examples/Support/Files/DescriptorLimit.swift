internal import Glibc

/// How many descriptors, such as files and sockets, this process may have open at once.
package enum DescriptorLimit {
  /// Raises the limit as far as a program may by itself, to the hard limit (getrlimit(2)). Without descriptors the
  /// runtime of tasks ends the process without a word, so what is too little is said before.
  ///
  /// - Parameters:
  ///   - count: how many are needed.
  ///   - what: who needs them: the beginning of a sentence.
  /// - Throws: ``ExampleError`` with ``ExitStatus/unavailable`` where the hard limit is less.
  package static func raise(toAtLeast count: Int, for what: String) throws(ExampleError) {
    var limit = rlimit()
    // The structure is ours for the time of the calls.
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    guard limit.rlim_cur < rlim_t(count) else { return }
    throw ExampleError(
      .unavailable,
      "\(what) needs \(count) open files at once, and may have \(limit.rlim_cur): run it where “ulimit -Hn” says at least "
        + "\(count), such as in a new shell, or have LimitNOFILE raised for its service.")
  }
}
