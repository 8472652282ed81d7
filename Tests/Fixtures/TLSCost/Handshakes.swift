internal import CheckIn

/// Handshakes one after the other, each connection ended in one of several ways.
enum Handshakes {
  /// What the allocator may keep for itself afterwards, in all: it does not grow with the number of handshakes. A buffer, a session
  /// or a certificate of each would; what is smaller, the leak checker sees (“make leaks”).
  private static let allowance = 16 << 20

  /// Shakes hands, prints what it costs; whether nothing is left.
  static func measure(_ count: Int) async throws -> Bool {
    let hall = try await Hall()
    try await run(max(100, count / 10), in: hall)
    let before = Memory.resident
    let start = ContinuousClock.now
    try await run(count, in: hall)
    let time = start.duration(to: .now)
    let left = Memory.resident - before
    await hall.listener.close()
    print(
      "\(count) TLS handshakes, both ends in one process (\(Figure.build)): \(Figure.microseconds(time, each: count)) each "
        + "for both ends; \(Figure.kibibytes(max(0, left))) more resident afterwards")
    return left <= allowance
  }

  /// Opens connections and loses them: nothing leads to them any more, and nothing frees them.
  static func lose(_ count: Int, in hall: Hall) async throws {
    for _ in 0..<count {
      let (near, far) = try await hall.open()
      // Unsafe: the reference that is taken here is never given back. That is the leak.
      _ = unsafe Unmanaged.passRetained(near as AnyObject)
      await far.close()
    }
  }

  /// Shakes hands that often.
  static func run(_ count: Int, in hall: Hall) async throws {
    for number in 0..<count {
      let (near, far) = try await hall.open()
      guard try await Hall.exchange(UInt8(truncatingIfNeeded: number), from: near, to: far) else {
        throw TransportError(.malformed, "Another byte came than was sent.")
      }
      switch number % 4 {
      case 0:
        await near.close()
        await far.close()
      case 1:
        near.abort()
        await far.close()
      case 2:
        try await near.finish()
        await far.close()
        await near.close()
      // Neither: dropping both ends them.
      default: break
      }
    }
  }
}
