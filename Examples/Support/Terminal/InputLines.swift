internal import Glibc
internal import Synchronization

/// The lines that come on standard input, as text, without their ends.
package final class InputLines: Sendable {
  /// The lines. The stream ends with the input. When nobody takes them, the oldest beyond a thousand are dropped.
  package let lines: AsyncStream<String>
  private let reader: DescriptorReader

  /// The longest line that is kept whole; what is behind it is dropped.
  package static let longest = 4096

  /// Starts to read.
  package init(_ descriptor: Int32 = STDIN_FILENO) {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1000))
    self.lines = lines
    let partial = Mutex<[UInt8]>([])
    reader = DescriptorReader(descriptor) { input in
      switch input {
      case .bytes(let bytes):
        let whole = partial.withLock { partial in
          var whole: [[UInt8]] = []
          for byte in bytes {
            if byte == 10 {
              whole.append(partial)
              partial = []
            } else if byte != 13, partial.count < InputLines.longest {
              partial.append(byte)
            }
          }
          return whole
        }
        for line in whole {
          continuation.yield(String(decoding: line, as: UTF8.self))
        }
      case .pause: break
      case .end:
        let rest = partial.withLock { $0 }
        if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
        continuation.finish()
      }
    }
  }

  /// Stops reading.
  package func stop() {
    reader.stop()
  }
}
