internal import Glibc

/// Thin, bounded calls on file descriptors, where the example programs meet C.
package enum Descriptor {
  /// Writes all the bytes, also to a descriptor that does not block.
  ///
  /// - Returns: 0, or the `errno` of the failure.
  package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var offset = 0
    while offset < bytes.count {
      // The closure's buffer lives as long as the call, and `offset` stays inside it.
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(descriptor, buffer.baseAddress! + offset, buffer.count - offset)
      }
      if written >= 0 {
        offset += written
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // A reader that does not read for so long is as good as gone.
        guard wait(for: [(descriptor, Int16(POLLOUT))], atMost: .seconds(10)).first ?? 0 != 0 else { return EAGAIN }
      case let code: return code
      }
    }
    return 0
  }

  /// Reads at most `limit` bytes: what there is, none at the end.
  package static func readSome(_ descriptor: Int32, limit: Int) -> Result<[UInt8], SystemFault> {
    while true {
      var count = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
        // The buffer has room for `limit` bytes; the system says how many it wrote.
        count = unsafe read(descriptor, buffer.baseAddress!, limit)
        filled = max(0, count)
      }
      if count >= 0 { return .success(bytes) }
      if errno != EINTR { return .failure(SystemFault(errno)) }
    }
  }

  /// Waits until one of the descriptors is ready.
  ///
  /// - Returns: what is ready, for each descriptor; all zero when the time is over.
  package static func wait(for wanted: [(descriptor: Int32, events: Int16)], atMost time: Duration?) -> [Int16] {
    var polls = wanted.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
    let milliseconds = time.map { time in
      let (seconds, attoseconds) = time.components
      return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
    // The array is passed for the time of the call.
    let ready = unsafe poll(&polls, nfds_t(polls.count), milliseconds ?? -1)
    return polls.map { ready > 0 ? $0.revents : 0 }
  }

  /// A pipe whose ends do not block and are not given to other programs.
  package static func pipe() throws(SystemFault) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    // The system writes two numbers into the array.
    guard unsafe Glibc.pipe(&ends) == 0 else { throw SystemFault(errno) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (ends[0], ends[1])
  }

  /// Gives a descriptor back.
  package static func close(_ descriptor: Int32) {
    _ = Glibc.close(descriptor)
  }

  /// Whether the descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }
}

/// A failure that the system reported.
package struct SystemFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system's number (`errno`).
  package let code: Int32

  /// A fault from the system's number.
  package init(_ code: Int32) {
    self.code = code
  }

  /// The system's words, such as “No space left on device”.
  package var description: String {
    // `strerror` answers a text with an end, which is copied at once.
    unsafe String(cString: strerror(code))
  }
}
