internal import CheckIn
internal import CheckInCore

extension ConformanceSuite {
  static let closeChecks: [ConformanceCheck] = [
    ConformanceCheck("C7-last-bytes", "The last bytes before close arrive, and then the end.") { run in
      for isNear in [true, false] {
        for size in [0, 1, 100, 5_000, 65_536, 200_000] {
          let pair = try await run.pair()
          let (ours, theirs) = isNear ? (pair.near, pair.far) : (pair.far, pair.near)
          let last = pattern(size, seed: size)
          let sending = Task {
            try await run.send(ours, last)
            await ours.close()
          }
          run.expect(try await run.receiveAll(theirs), are: last, "what was sent before close")
          run.expect(try await run.receiveOnce(theirs) == .finished, "the end, again")
          try await run.value(of: sending, "a send and close")
          try await run.close(pair)
        }
      }
    },
    ConformanceCheck("C7-unread-here", "The last bytes arrive also when the peer’s lie unread at our end.") { run in
      for round in 0..<20 {
        let pair = try await run.pair()
        let unread = await run.begun { try? await pair.far.send(pattern(1_000), before: run.deadline) }
        let last = pattern(1 + round * 5_000, seed: round)
        let sending = Task {
          try await run.send(pair.near, last)
          await pair.near.close()
        }
        run.expect(try await run.receiveAll(pair.far), are: last, "what was sent before close")
        try await run.value(of: sending, "a send and close")
        _ = await run.outcome(of: unread, "a send that nobody reads, when the peer has closed")
        try await run.close(pair)
      }
    },
    ConformanceCheck(
      "C7-peer-sends-on", "A peer that still sends finds what was sent to it, then the end; its sends fail."
    ) {
      run in
      for _ in 0..<10 {
        let pair = try await run.pair()
        let noise = Task {
          while !Task.isCancelled { try await pair.far.send(pattern(2_000), before: run.deadline) }
        }
        defer { noise.cancel() }
        _ = try await run.receiveOnce(pair.near)
        try await run.send(pair.near, [1, 2, 3])
        let closing = Task { await pair.near.close() }
        run.expect(try await run.receiveAll(pair.far), are: [1, 2, 3], "what was sent before close")
        if let result = await run.outcome(of: noise, "sending to a peer that has closed") {
          run.expect(result, fails: [.lost], "sending to a peer that has closed")
        }
        await closing.value
        try await run.close(pair)
      }
    },
    ConformanceCheck("C7-bounded", "Close ends in bounded time also when the peer does not read.") { run in
      let pair = try await run.pair()
      _ = try await run.fill(pair.near)
      try await run.value(of: "closing over a peer that does not read", within: .seconds(12)) {
        await pair.near.close()
      }
      try await run.value(of: "closing again") { await pair.near.close() }
    },
    ConformanceCheck("C7-often", "A connection may be closed often and from many tasks.") { run in
      let pair = try await run.pair()
      try await run.send(pair.near, [5])
      try await run.value(of: "closing a connection from eight tasks") {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<8 { group.addTask { await pair.near.close() } }
        }
      }
      for _ in 0..<3 { try await run.value(of: "closing a closed connection") { await pair.near.close() } }
      pair.near.abort()
      run.expect(try await run.receiveAll(pair.far), are: [5], "what was sent before close")
      try await run.close(pair)
    },
    ConformanceCheck("C7-cancelled", "A close of a cancelled task delivers just the same.") { run in
      for _ in 0..<5 {
        let pair = try await run.pair()
        let last = pattern(50_000, seed: 6)
        let sending = Task { try await run.send(pair.near, last) }
        let receiving = Task { try await run.receiveAll(pair.far) }
        try await run.value(of: sending, "a send of \(last.count) bytes")
        _ = await run.alreadyCancelled("close of a cancelled task") { await pair.near.close() }
        run.expect(
          try await run.value(of: receiving, "receiving all"), are: last, "what was sent before a cancelled close")
        try await run.close(pair)
      }
    },
    ConformanceCheck(
      "C7-under-load", "A thousand connections that are closed under load end all their calls, and leave nothing.",
      also: ["C8"], bound: .seconds(60)
    ) { run in
      let listener = try await run.listen()
      let before = run.subject.openResources()
      let load = pattern(2_000)
      let rounds = max(50, run.volume(250))
      for round in 0..<rounds {
        var pairs: [Pair] = []
        for _ in 0..<4 { pairs.append(try await run.pair(at: listener)) }
        run.step("closing under load, round \(round)")
        let ending = Task { [pairs] in
          await withTaskGroup(of: Void.self) { group in
            for (number, pair) in pairs.enumerated() {
              for connection in [pair.near, pair.far] {
                group.addTask {
                  while (try? await connection.send(load, before: run.deadline)) != nil { await Task.yield() }
                }
                group.addTask {
                  while let reception = try? await connection.receive(before: run.deadline), reception != .finished {}
                }
              }
              group.addTask {
                for _ in 0..<(round + number) % 7 { await Task.yield() }
                if (round + number) % 2 == 0 { await pair.near.close() } else { pair.near.abort() }
                await pair.far.close()
              }
            }
          }
        }
        try await run.value(of: Task { await ending.value }, "every call on four connections that are closed")
      }
      run.expect(
        await run.resourcesSettle(at: before + rounds * 4 / 5), "\(rounds * 4) closed connections leave nothing open",
        "\(run.subject.openResources() - before) more resources are open than before")
    },
    ConformanceCheck("C12-released", "A connection that is closed and dropped is freed.", also: ["C7", "C8"]) { run in
      let listener = try await run.listen()
      for isGood in [true, false] {
        let watched = try await run.watchedPair(at: listener, isGood: isGood)
        let end = run.deadline
        while !watched.isFreed, .now < end { try? await Task.sleep(for: .milliseconds(2)) }
        run.expect(
          watched.isFreed, "both ends are freed after \(isGood ? "close" : "abort")", "somebody still holds one")
      }
    },
  ]
}

/// Two ends that nobody here holds.
private struct WatchedPair: Sendable {
  weak let near: (any Connection)?
  weak let far: (any Connection)?

  var isFreed: Bool { near == nil && far == nil }
}

extension ConformanceRun {
  /// A connection that was used and ended.
  fileprivate func watchedPair(at listener: any Listener, isGood: Bool) async throws -> WatchedPair {
    let pair = try await pair(at: listener)
    try await exchange(pair, "before the end")
    if isGood {
      try await closeEnds(pair)
    } else {
      pair.near.abort()
      pair.far.abort()
    }
    return WatchedPair(near: pair.near.unwatched, far: pair.far.unwatched)
  }
}
