internal import Glibc
internal import Synchronization

/// Reads a descriptor on a thread of its own, because a terminal or a pipe cannot be awaited, and tells what came.
package final class DescriptorReader: Sendable {
  /// What came.
  package enum Input: Sendable {
    /// So many bytes, at least one.
    case bytes([UInt8])
    /// Nothing came for the time that the last call of the handler asked to be told about.
    case pause
    /// The other side has finished, or is gone. Nothing comes after this.
    case end
  }

  private let wakeEnd: Int32
  private let isStopped = Mutex(false)

  /// Starts to read. The descriptor stays the caller's and must stay open.
  ///
  /// - Parameter pause: after bytes, how long nothing may come until the handler is told; nil: it is not told.
  package init(
    _ descriptor: Int32, pause: @escaping @Sendable () -> Duration? = { nil },
    handler: @escaping @Sendable (Input) -> Void
  ) {
    // Without a pipe there is no stopping, and the thread goes on until the other side ends.
    let (reading, writing) = (try? Descriptor.pipe()) ?? (-1, -1)
    wakeEnd = writing
    SystemThread.start {
      Self.run(descriptor, wake: reading, pause: pause, handler: handler)
      if reading >= 0 { close(reading) }
    }
  }

  /// Stops reading: soon after this the handler is not called any more.
  package func stop() {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    // Closing the writing end wakes the thread, which closes the other.
    if isFirst, wakeEnd >= 0 { close(wakeEnd) }
  }

  deinit {
    stop()
  }

  private static func run(
    _ descriptor: Int32, wake: Int32, pause: () -> Duration?, handler: (Input) -> Void
  ) {
    while true {
      let ready = Descriptor.wait(for: [(descriptor, Int16(POLLIN)), (wake, Int16(POLLIN))], atMost: pause())
      if ready[1] != 0 { return }
      if ready[0] == 0 {
        handler(.pause)
        continue
      }
      switch Descriptor.readSome(descriptor, limit: 4096) {
      case .success(let bytes) where bytes.isEmpty: return handler(.end)
      case .success(let bytes): handler(.bytes(bytes))
      case .failure(let fault) where fault.code == EAGAIN: continue
      case .failure: return handler(.end)
      }
    }
  }
}
