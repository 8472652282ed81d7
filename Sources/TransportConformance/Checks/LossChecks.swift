internal import CheckIn
internal import CheckInCore

extension ConformanceSuite {
  static let lossChecks: [ConformanceCheck] = [
    ConformanceCheck("C9-close", "The peer’s close is noticed by a receive that waits, without sending, as a good end.")
    { run in
      for isNear in [true, false] {
        let pair = try await run.pair()
        let (ours, theirs) = isNear ? (pair.near, pair.far) : (pair.far, pair.near)
        let waiting = await run.begun { try await theirs.receive(before: nil) }
        try await run.value(of: "close") { await ours.close() }
        let reception = try await run.value(of: waiting, "a receive that waits when the peer closes")
        run.expect(reception == .finished, "a good end", "\(reception)")
        try await run.close(pair)
      }
    },
    ConformanceCheck("C9-abort", "The peer’s abort is noticed by a receive that waits, without sending.") { run in
      for isNear in [true, false] {
        let pair = try await run.pair()
        let (ours, theirs) = isNear ? (pair.near, pair.far) : (pair.far, pair.near)
        let waiting = await run.begun { try await theirs.receive(before: nil) }
        ours.abort()
        guard let result = await run.outcome(of: waiting, "a receive that waits when the peer aborts") else { continue }
        if case .success(.finished) = result, !run.has(.tellsAbort) { continue }
        run.expect(result, fails: [.lost], "a receive that waits when the peer aborts")
      }
    },
    ConformanceCheck(
      "C8-told-from-finish", "An abort is told from a good end.", also: ["T7"], needs: [.capability(.tellsAbort)]
    ) { run in
      for isNear in [true, false] {
        let pair = try await run.pair()
        let (ours, theirs) = isNear ? (pair.near, pair.far) : (pair.far, pair.near)
        try await run.send(ours, [1])
        run.expect(try await run.receive(theirs, exactly: 1), are: [1], "what was sent before the abort")
        ours.abort()
        await run.expectError(.lost, from: "receiving after the peer’s abort") {
          try await theirs.receive(before: run.deadline)
        }
      }
    },
    ConformanceCheck("C8-sends-fail", "After the peer’s abort sends fail, with lost, and a send that waits is woken.") {
      run in
      let pair = try await run.pair()
      _ = try await run.fill(pair.far)
      let sending = await run.begun { try await pair.far.send(pattern(100_000), before: nil) }
      pair.near.abort()
      if let result = await run.outcome(of: sending, "a send that waits when the peer aborts") {
        run.expect(result, fails: [.lost], "a send that waits when the peer aborts")
      }
      // Where the system learns of the end by an answer, a first send may still go into the void.
      await run.expectError(.lost, from: "the sends after the peer’s abort") {
        for _ in 0..<100 { try await pair.far.send(pattern(10_000), before: run.deadline) }
      }
      await run.expectError(.lost, from: "another send after the peer’s abort") {
        try await pair.far.send([1], before: run.deadline)
      }
    },
    ConformanceCheck("C8-at-once", "Abort does not wait, whatever the peer does, and may come often.") { run in
      let pair = try await run.pair()
      _ = try await run.fill(pair.near)
      let start = ContinuousClock.now
      for _ in 0..<3 { pair.near.abort() }
      let time = start.duration(to: .now)
      run.expect(time < run.scaled(.milliseconds(500)), "abort returns at once", "it took \(time)")
    },
    ConformanceCheck(
      "C8-arrived-first", "What arrives before an abort is a prefix of what was sent, and then comes the loss.",
      needs: [.capability(.tellsAbort)]
    ) { run in
      for round in 0..<10 {
        let pair = try await run.pair()
        let bytes = pattern(5_000, seed: round)
        try await run.send(pair.near, bytes)
        run.expect(try await run.receive(pair.far, exactly: 5_000), are: bytes, "what was received before the abort")
        try await run.send(pair.near, bytes)
        for _ in 0..<round { await Task.yield() }
        pair.near.abort()
        var queue = ByteQueue()
        let end = await run.loss(of: pair.far, into: &queue)
        run.expect(end == .lost, "lost, at the end", "\(end, default: "a good end")")
        let rest = queue.take(queue.count)
        run.expect(
          rest.count <= bytes.count && rest.elementsEqual(bytes.prefix(rest.count)),
          "of what was sent last the first bytes, as many as had arrived", rest.difference(from: bytes))
      }
    },
    ConformanceCheck("C10-after-loss", "After the peer was lost every call says lost, again and again.") { run in
      let pair = try await run.pair()
      pair.near.abort()
      // A send tells where a receive may not: it is lost for sure when sends fail.
      await run.expectError(.lost, from: "the sends after the peer’s abort") {
        for _ in 0..<100 { try await pair.far.send(pattern(10_000), before: run.deadline) }
      }
      for _ in 0..<3 {
        await run.expectError(.lost, from: "a send after the loss") {
          try await pair.far.send([1], before: run.deadline)
        }
        if run.has(.tellsAbort) {
          await run.expectError(.lost, from: "a receive after the loss") {
            try await pair.far.receive(before: run.deadline)
          }
        } else {
          try await run.expectEnd(of: pair.far, "the loss, again")
        }
      }
      try await run.value(of: "closing after the loss") { await pair.far.close() }
      await run.expectError(.closed, from: "a send after the loss and close") {
        try await pair.far.send([1], before: run.deadline)
      }
    },
    ConformanceCheck("C12-dropped", "A connection that is dropped without close is ended, at either end.") { run in
      let listener = try await run.listen()
      for isNear in [true, false] {
        let kept = try await run.dropOneEnd(at: listener, isNear: isNear)
        try await run.expectEnd(of: kept, "the end of a connection that was dropped")
      }
    },
  ]
}

extension ConformanceRun {
  /// Receives until there is an error, and answers its code; nil for a good end.
  fileprivate func loss(of connection: any Connection, into queue: inout ByteQueue) async -> TransportError.Code? {
    let deadline = deadline
    do throws(TransportError) {
      while try await connection.receive(into: &queue, before: deadline) != .finished {}
      return nil
    } catch {
      return error.code
    }
  }

  /// A connection of which one end is let go, and the other answered.
  fileprivate func dropOneEnd(at listener: any Listener, isNear: Bool) async throws -> any Connection {
    let pair = try await pair(at: listener)
    return isNear ? pair.far : pair.near
  }
}
