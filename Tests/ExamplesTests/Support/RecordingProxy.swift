internal import Glibc
internal import Synchronization
internal import TestSupport

/// Stands between an attendee and a kiosk on loopback, passes every byte on, and keeps every message.
///
/// A message is kept before its last byte goes on, so what one side says in answer to another stands behind it.
final class RecordingProxy: Sendable {
  enum Side: String {
    case kiosk, attendee
  }

  struct Message: Sendable {
    let side: Side
    let body: [UInt8]
  }

  /// Where the attendee connects.
  let endpoint: String
  private let listener: Int32
  private let target: String
  private let kept = Mutex<[Message]>([])
  private let open = Mutex<[Int32]>([])

  /// Runs a proxy for the time of `body`.
  static func run<Value>(to endpoint: String, body: (RecordingProxy) async throws -> Value) async throws -> Value {
    let proxy = try RecordingProxy(to: endpoint)
    defer { proxy.stop() }
    return try await body(proxy)
  }

  /// What was said so far.
  var messages: [Message] { kept.withLock { $0 } }

  private init(to target: String) throws(ProcessFailure) {
    let socket = try LoopbackSocket.listening()
    self.target = target
    listener = socket.descriptor
    endpoint = "tcp://127.0.0.1:\(socket.port)"
    detach { self.serve() }
  }

  private func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    for descriptor in open.withLock({ $0 }) { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  private func serve() {
    defer { close(listener) }
    while true {
      let phone = accept(listener, nil, nil)
      guard phone >= 0 else { return }
      guard let kiosk = try? LoopbackSocket.connected(to: target) else {
        close(phone)
        continue
      }
      open.withLock { $0 += [phone, kiosk] }
      let ends = Atomic(0)
      for (from, to, side) in [(phone, kiosk, Side.attendee), (kiosk, phone, .kiosk)] {
        detach {
          self.pass(from, to, side)
          shutdown(to, Int32(SHUT_WR))
          guard ends.add(1, ordering: .acquiringAndReleasing).newValue == 2 else { return }
          self.open.withLock { $0.removeAll { $0 == phone || $0 == kiosk } }
          close(phone)
          close(kiosk)
        }
      }
    }
  }

  private func pass(_ from: Int32, _ to: Int32, _ side: Side) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var pending: [UInt8] = []
    while true {
      // The buffer is ours for the time of the calls.
      let count = unsafe recv(from, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      pending += buffer.prefix(count)
      while pending.count >= 4 {
        let length = pending.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard pending.count >= 4 + length else { break }
        let body = Array(pending.dropFirst(4).prefix(length))
        kept.withLock { $0.append(Message(side: side, body: body)) }
        pending.removeFirst(4 + length)
      }
      guard unsafe send(to, buffer, count, Int32(MSG_NOSIGNAL)) == count else { return }
    }
  }
}
