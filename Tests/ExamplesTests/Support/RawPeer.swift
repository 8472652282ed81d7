internal import Glibc
internal import TestSupport

/// A TCP socket that sends what a phone never would. Its calls block, each for a bounded time: use ``aside(_:)``.
struct RawPeer: ~Copyable {
  private let descriptor: Int32

  /// Connects.
  ///
  /// - Parameters:
  ///   - endpoint: such as `tcp://127.0.0.1:7443`.
  ///   - source: the host that it comes from, such as `127.0.0.2`.
  init(_ endpoint: String, from source: String? = nil) throws(ProcessFailure) {
    descriptor = try LoopbackSocket.connected(to: endpoint, from: source)
  }

  /// Sends the bytes; false when the other side is gone.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    // The array lives as long as the call.
    unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Says that nothing more will come.
  func finish() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Reads one frame's body; nil when none comes in time.
  func readFrame(atMost time: Duration = .seconds(10)) -> [UInt8]? {
    let deadline = ContinuousClock.now + time
    guard let prefix = read(4, before: deadline) else { return nil }
    return read(prefix.reduce(0) { $0 << 8 | Int($1) }, before: deadline)
  }

  /// What comes until the other side ends the connection; nil when it does not in time.
  func readToEnd(atMost time: Duration) -> [UInt8]? {
    let deadline = ContinuousClock.now + time
    var bytes: [UInt8] = []
    while isReadable(before: deadline) {
      guard let more = readSome(4096) else { return bytes }
      bytes += more
    }
    return nil
  }

  private func read(_ count: Int, before deadline: ContinuousClock.Instant) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard isReadable(before: deadline), let more = readSome(count - bytes.count) else { return nil }
      bytes += more
    }
    return bytes
  }

  private func isReadable(before deadline: ContinuousClock.Instant) -> Bool {
    let left = (deadline - .now).components
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(max(0, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000))
    // The structure is ours for the time of the call.
    return unsafe poll(&wanted, 1, milliseconds) == 1
  }

  private func readSome(_ limit: Int) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: limit)
    // The buffer is ours for the time of the call.
    let count = unsafe recv(descriptor, &buffer, limit, 0)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }

  deinit {
    close(descriptor)
  }
}
