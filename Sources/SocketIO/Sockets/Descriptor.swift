internal import CLinux
public import CheckIn
internal import Glibc

/// A file descriptor with one owner, closed when the owner lets go of it, once.
public struct Descriptor: ~Copyable, Sendable {
  /// The number that the system knows it by. Valid as long as this value is.
  public let number: Int32
  /// Closing it may block for seconds (Bluetooth Classic), and so is done by a thread of its own.
  var closesAside = false

  /// Takes over an open descriptor: from now on nobody else may close it.
  public init(owning number: Int32) {
    self.number = number
  }

  deinit {
    // After an error the descriptor is gone all the same (close(2)), so there is nothing to do about one.
    if closesAside { closeAside(number) } else { _ = close(number) }
  }

  /// A new stream socket that does not block and is not inherited by programs that this one starts.
  ///
  /// - Parameter family: such as `AF_INET`.
  public static func stream(family: Int32, protocol number: Int32 = 0) throws(TransportError) -> Descriptor {
    let flags = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = socket(family, Int32(flags), number)
    guard descriptor >= 0 else { throw TransportError(system: errno, "A socket cannot be opened") }
    return Descriptor(owning: descriptor)
  }

  /// Sets a socket option whose value is a C integer, such as `SO_REUSEADDR` at `SOL_SOCKET`.
  public func set(_ option: Int32, at level: Int32, to value: Int32) throws(TransportError) {
    var value = value
    // Unsafe: C reads the integer through a pointer that is valid for the call.
    let result = unsafe setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    guard result == 0 else { throw TransportError(system: errno, "A socket option cannot be set") }
  }
}

/// Closes a descriptor on a new thread; on this one where there is none to be had.
private func closeAside(_ number: Int32) {
  var attributes = pthread_attr_t()
  // Unsafe: C sets the attributes up, and reads and frees them, through pointers that are valid for the calls.
  unsafe pthread_attr_init(&attributes)
  defer { unsafe pthread_attr_destroy(&attributes) }
  unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  unsafe pthread_attr_setstacksize(&attributes, 131_072)
  var thread = pthread_t()
  // Unsafe: the context is the number itself and never followed as a pointer. The number plus one, since zero is none.
  let result = unsafe pthread_create(
    &thread, &attributes,
    { context in
      // Signals are for the program's own threads.
      var signals = sigset_t()
      unsafe sigfillset(&signals)
      unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
      _ = close(Int32(Int(bitPattern: context) - 1))
      return nil
    }, UnsafeMutableRawPointer(bitPattern: Int(number) + 1))
  if result != 0 { _ = close(number) }
}
