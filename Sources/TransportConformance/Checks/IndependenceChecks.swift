internal import CheckIn
internal import CheckInCore

extension ConformanceSuite {
  static let independenceChecks: [ConformanceCheck] = [
    ConformanceCheck("C13-frozen-peer", "A peer that does not read delays no other connection.") { run in
      let listener = try await run.listen()
      let frozen = try await run.pair(at: listener)
      let other = try await run.pair(at: listener)
      _ = try await run.fill(frozen.near)
      _ = try await run.fill(frozen.far)
      let blocked = [
        await run.begun { try await frozen.near.send(pattern(100_000), before: nil) },
        await run.begun { try await frozen.far.send(pattern(100_000), before: nil) },
      ]
      for _ in 0..<5 {
        try await run.exchange(other, "beside a peer that does not read")
        try await run.exchange(at: listener, "beside a peer that does not read")
      }
      frozen.near.abort()
      frozen.far.abort()
      for task in blocked { _ = await run.outcome(of: task, "a send on an aborted connection") }
    },
    ConformanceCheck("C13-one-fails", "A connection that fails or closes ends no other.") { run in
      let listener = try await run.listen()
      let steadfast = try await run.pair(at: listener)
      for isGood in [true, false] {
        let failing = try await run.pair(at: listener)
        let waiting = await run.begun { try await run.receive(steadfast.far, exactly: 1) }
        if isGood { try await run.closeEnds(failing) } else { failing.near.abort() }
        try await run.send(steadfast.near, [4])
        run.expect(
          try await run.value(of: waiting, "a receive beside a connection that ends"), are: [4], "another connection")
        try await run.exchange(steadfast, "beside a connection that has ended")
        try await run.exchange(at: listener, "after a connection has ended")
      }
      try await run.closeEnds(steadfast)
    },
    ConformanceCheck("C13-old-handle", "Closing or aborting an old connection again does not touch a new one.") { run in
      let listener = try await run.listen()
      let old = try await run.pair(at: listener)
      try await run.closeEnds(old)
      // The system gives the numbers of the old connection to the new one.
      let new = try await run.pair(at: listener)
      for connection in [old.near, old.far] {
        try await run.value(of: "closing an old connection again") { await connection.close() }
        connection.abort()
        await run.expectError(.closed, from: "a send on the old connection") {
          try await connection.send([1], before: run.deadline)
        }
      }
      try await run.exchange(new, "after an old connection was closed again")
      try await run.closeEnds(new)
    },
    ConformanceCheck("C10-same-codes", "The same thing goes wrong with the same code at both ends and in every call.") {
      run in
      let pair = try await run.pair()
      for connection in [pair.near, pair.far] {
        await run.expectError(.timedOut, from: "a receive without bytes") {
          try await connection.receive(before: .now + .milliseconds(1))
        }
        let waiting = await run.begun { try await connection.receive(before: nil) }
        waiting.cancel()
        if let result = await run.outcome(of: waiting, "a receive that is cancelled") {
          run.expect(result, fails: [.cancelled], "a receive that is cancelled")
        }
      }
      try await run.value(of: "close") { await pair.near.close() }
      run.expect(try await run.receiveOnce(pair.far) == .finished, "the accepting end finds the good end of the other")
      let other = try await run.pair()
      try await run.value(of: "close") { await other.far.close() }
      run.expect(try await run.receiveOnce(other.near) == .finished, "the dialling end finds the good end of the other")
      await run.expectError(.closed, from: "a receive after close") { try await pair.near.receive(before: nil) }
      await run.expectError(.closed, from: "a receive after close") { try await other.far.receive(before: nil) }
    },
  ]
}
