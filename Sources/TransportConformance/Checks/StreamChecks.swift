internal import CheckIn
internal import CheckInCore

extension ConformanceSuite {
  static let streamChecks: [ConformanceCheck] = [
    ConformanceCheck(
      "C3-counts", "A receive adds to what the queue holds, and counts what it adds: at least 1, at most 256 KiB."
    ) {
      run in
      let pair = try await run.pair()
      let bytes = pattern(run.volume(1 << 20), seed: 4)
      let sending = Task { try await run.send(pair.near, bytes) }
      var queue = ByteQueue()
      queue.append([1, 2, 3])
      while queue.count < bytes.count + 3 {
        guard case .bytes(let count) = try await run.receive(pair.far, into: &queue) else {
          return run.record(expected: "\(bytes.count) bytes", happened: "the end came after \(queue.count - 3) bytes")
        }
        run.expect(count <= 256 * 1024, "at most 256 KiB a call", "\(count) bytes")
      }
      run.expect(queue.take(queue.count), are: [1, 2, 3] + bytes, "what the queue held, and what came")
      try await run.value(of: sending, "a send of \(bytes.count) bytes")
      try await run.close(pair)
    },
    ConformanceCheck("C3-waits", "A receive waits for the first byte, and gets it as soon as it comes.") { run in
      let pair = try await run.pair()
      for byte in UInt8(0)..<20 {
        let receiving = await run.begun { try await run.receive(pair.far, exactly: 1) }
        try await run.send(pair.near, [byte])
        run.expect(try await run.value(of: receiving, "a receive that waits"), are: [byte], "a receive that waits")
      }
      try await run.close(pair)
    },
    ConformanceCheck(
      "C13-many-connections", "Forty connections at once carry each its own messages.", bound: .seconds(40)
    ) { run in
      let listener = try await run.listen()
      var pairs: [Pair] = []
      for _ in 0..<40 { pairs.append(try await run.pair(at: listener)) }
      let deadline = run.after(.seconds(30))
      let failed = await withTaskGroup(of: Bool.self) { group in
        for (number, pair) in pairs.enumerated() {
          group.addTask {
            do {
              for round in 0..<20 {
                let bytes = pattern(500 + number, seed: number * 100 + round)
                try await pair.near.send(bytes, before: deadline)
                try await pair.far.send(run.receive(pair.far, exactly: bytes.count), before: deadline)
                run.expect(
                  try await run.receive(pair.near, exactly: bytes.count), are: bytes,
                  "round \(round) of connection \(number)")
              }
              return false
            } catch {
              run.record(thrown: error)
              return true
            }
          }
        }
        return await group.reduce(false) { $0 || $1 }
      }
      guard !failed else { return }
      for pair in pairs { try await run.closeEnds(pair) }
    },
    ConformanceCheck("C13-restart", "A connection to a restarted listener has nothing of the old one in it.") { run in
      let old = try await run.pair()
      try await run.send(old.near, pattern(1_000))
      try await run.send(old.far, pattern(1_000))
      old.far.abort()
      await old.listener.close()
      let listener = try await run.listen(on: old.listener.endpoint)
      // The old connection is still held here while the new one is opened.
      let new = try await run.pair(at: listener)
      try await run.exchange(new, "with a restarted listener")
      old.near.abort()
      try await run.exchange(new, "with a restarted listener, when the old connection has gone")
      try await run.close(new)
    },
  ]
}
