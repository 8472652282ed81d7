internal import CheckInCore
internal import Glibc

// The system calls of an open socket, by number: the owner calls them under its lock, while it holds the descriptor.

/// The error that waits on the socket, which this call clears; 0 for none.
func pendingError(of number: Int32) -> Int32 {
  var value: Int32 = 0
  var length = socklen_t(MemoryLayout<Int32>.size)
  // Unsafe: C writes the integer through a pointer that is valid for the call.
  let result = unsafe getsockopt(number, SOL_SOCKET, SO_ERROR, &value, &length)
  return result == 0 ? value : errno
}

/// How many bytes that were sent the peer's system has not confirmed yet; 0 where that cannot be asked.
///
/// - Parameter reportsRoom: see ``SocketTraits/reportsRoom``. The number is then that of the bytes of memory that what
///   has not left takes up.
func unconfirmedBytes(of number: Int32, reportsRoom: Bool) -> Int {
  var value: Int32 = 0
  // Unsafe: C writes the integer through a pointer that is valid for the call.
  guard unsafe ioctl(number, UInt(TIOCOUTQ), &value) == 0 else { return 0 }
  guard reportsRoom else { return Int(value) }
  var size: Int32 = 0
  var length = socklen_t(MemoryLayout<Int32>.size)
  // Unsafe: as above.
  guard unsafe getsockopt(number, SOL_SOCKET, SO_SNDBUF, &size, &length) == 0 else { return 0 }
  return max(0, Int(size) - Int(value))
}

/// Makes the next close throw away what was not delivered, and reset the connection.
func resetOnClose(_ number: Int32) {
  var value = linger(l_onoff: 1, l_linger: 0)
  // Unsafe: C reads the structure through a pointer that is valid for the call.
  _ = unsafe setsockopt(number, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
}

/// Receives once, without waiting: the count, 0 at the end of the stream, or the error number below zero.
func receiveOnce(_ number: Int32, into space: inout MutableSpan<UInt8>, atMost limit: Int) -> Int {
  // Unsafe: C writes at most the span's length through a pointer that is valid for the call.
  let count = unsafe space.withUnsafeMutableBytes { memory in
    unsafe recv(number, memory.baseAddress, min(memory.count, limit), Int32(MSG_DONTWAIT))
  }
  return count >= 0 ? count : -Int(errno)
}

/// Sends once, without waiting and without a signal (SIGPIPE): the count, or the error number below zero.
func sendOnce(_ number: Int32, _ bytes: Span<UInt8>) -> Int {
  // Unsafe: C reads at most the span's length through a pointer that is valid for the call.
  let count = unsafe bytes.withUnsafeBytes { memory in
    unsafe send(number, memory.baseAddress, memory.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
  }
  return count >= 0 ? count : -Int(errno)
}

/// Receives once, without waiting, into memory that lasts no longer than the call, and adds what came to the queue: the
/// count, 0 at the end of the stream, or the error number below zero.
func receiveOnce(_ number: Int32, into queue: inout ByteQueue, atMost limit: Int) -> Int {
  // Unsafe: C writes at most `limit` bytes, and those that it has written are copied at once.
  unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: limit) { memory in
    let count = unsafe recv(number, memory.baseAddress, memory.count, Int32(MSG_DONTWAIT))
    guard count > 0 else { return count == 0 ? 0 : -Int(errno) }
    queue.append(unsafe Span(_unsafeElements: UnsafeBufferPointer(memory.extracting(..<count))))
    return count
  }
}
