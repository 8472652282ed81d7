internal import CheckIn
internal import CheckInCore

/// Many connections at once on which nothing is said, each end waiting for the other to speak.
enum IdleConnections {
  /// The bound, for ten thousand: 1 GiB. It is for both ends of each connection.
  private static let bound = (connections: 10_000, bytes: 1 << 30)

  /// Opens them, prints what they cost; whether they keep the bound, and still work.
  static func measure(_ count: Int) async throws -> Bool {
    let hall = try await Hall()
    // What the library and the threads keep for themselves is there after these.
    for number in 0..<100 {
      let (near, far) = try await hall.open()
      _ = try await Hall.exchange(UInt8(truncatingIfNeeded: number), from: near, to: far)
      await near.close()
      await far.close()
    }
    let before = Memory.resident
    let start = ContinuousClock.now
    var ends: [(near: any Connection, far: any Connection)] = []
    ends.reserveCapacity(count)
    var waiting: [Task<Bool, Never>] = []
    for _ in 0..<count {
      let pair = try await hall.open()
      ends.append(pair)
      for end in [pair.near, pair.far] {
        waiting.append(
          Task {
            var queue = ByteQueue()
            guard case .bytes? = try? await end.receive(into: &queue, before: nil) else { return false }
            return queue.take(queue.count) == [7]
          })
      }
    }
    let time = start.duration(to: .now)
    let cost = Memory.resident - before
    print(
      "\(count) idle TLS connections, both ends in one process (\(Figure.build)): \(Figure.mebibytes(cost)) resident, "
        + "\(Figure.kibibytes(cost / count / 2)) an end; the process \(Figure.mebibytes(Memory.resident)), at most "
        + "\(Figure.mebibytes(Memory.peak)); opened in \(time)")
    // They are connections, and not what is left of them: each end says something, and each hears it.
    for (near, far) in ends {
      try await near.send([7], before: .now + .seconds(30))
      try await far.send([7], before: .now + .seconds(30))
    }
    var heard = 0
    for task in waiting where await task.value { heard += 1 }
    print("\(heard) of \(count * 2) ends heard the other, after \(start.duration(to: .now)).")
    for (near, far) in ends {
      near.abort()
      far.abort()
    }
    await hall.listener.close()
    let allowed = bound.bytes * count / bound.connections
    // The whole process, for as many as the bound is for; fewer must cost their share.
    let used = count >= bound.connections ? Memory.peak : cost
    print(
      used <= allowed ? "It fits in \(Figure.mebibytes(allowed))." : "It does not fit in \(Figure.mebibytes(allowed)).")
    return heard == count * 2 && used <= allowed
  }
}
