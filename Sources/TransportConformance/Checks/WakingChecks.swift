internal import CheckIn
internal import CheckInCore

extension ConformanceSuite {
  static let wakingChecks: [ConformanceCheck] = [
    ConformanceCheck("C7-wakes-receive", "Close wakes a receive that waits, with closed.") { run in
      for isNear in [true, false] {
        let pair = try await run.pair()
        let ours = isNear ? pair.near : pair.far
        let receiving = await run.begun { try await ours.receive(before: nil) }
        try await run.value(of: "closing beside a receive that waits") { await ours.close() }
        if let result = await run.outcome(of: receiving, "a receive that waits when we close") {
          run.expect(result, fails: [.closed], "a receive that waits when we close")
        }
        try await run.close(pair)
      }
    },
    ConformanceCheck("C7-wakes-send", "Close wakes a send that waits, with closed, and no message is torn.") { run in
      let pair = try await run.pair()
      let (certain, open) = try await run.fill(pair.near, chunk: 50_000)
      let last = pattern(50_000, seed: 1234)
      let sending = await run.begun { try await pair.near.send(last, before: nil) }
      // The peer reads on, so that what was sent can go out.
      let closing = Task { await pair.near.close() }
      if let result = await run.outcome(of: sending, "a send that waits when we close") {
        run.expect(result, fails: [.closed], "a send that waits when we close")
      }
      let received = try await run.receiveAll(pair.far)
      let possible = [certain, certain + open, certain + last, certain + open + last]
      run.expect(
        possible.contains(received), "what was sent, and all or nothing of what waited",
        "\(received.count) bytes, which is none of \(possible.map(\.count)), or other bytes")
      try await run.value(of: "close, when the peer has read all") { await closing.value }
      try await run.close(pair)
    },
    ConformanceCheck("C8-wakes-both", "Abort wakes a receive and a send that wait, with closed.") { run in
      let pair = try await run.pair()
      _ = try await run.fill(pair.near)
      let receiving = await run.begun { try await pair.near.receive(before: nil) }
      let sending = await run.begun { try await pair.near.send(pattern(50_000), before: nil) }
      pair.near.abort()
      if let result = await run.outcome(of: receiving, "a receive that waits when we abort") {
        run.expect(result, fails: [.closed], "a receive that waits when we abort")
      }
      if let result = await run.outcome(of: sending, "a send that waits when we abort") {
        run.expect(result, fails: [.closed], "a send that waits when we abort")
      }
    },
    ConformanceCheck("C10-after-close", "After close every call says closed.") { run in
      let pair = try await run.pair()
      try await run.send(pair.far, [1, 2, 3])
      try await run.value(of: "close") { await pair.near.close() }
      await run.expectEveryCallClosed(pair.near, after: "close")
    },
    ConformanceCheck("C10-after-abort", "After abort every call says closed.") { run in
      let pair = try await run.pair()
      try await run.send(pair.far, [1, 2, 3])
      pair.near.abort()
      await run.expectEveryCallClosed(pair.near, after: "abort")
      try await run.value(of: "close after abort") { await pair.near.close() }
      await run.expectEveryCallClosed(pair.near, after: "abort and close")
    },
  ]
}

extension ConformanceRun {
  fileprivate func expectEveryCallClosed(
    _ connection: any Connection, after what: String, file: String = #fileID, line: Int = #line
  ) async {
    let deadline = deadline
    for _ in 0..<2 {
      await expectError(.closed, from: "a send after \(what)", file: file, line: line) {
        try await connection.send([1], before: deadline)
      }
      await expectError(.closed, from: "a receive after \(what)", file: file, line: line) {
        try await connection.receive(before: deadline)
      }
      if has(.halfClose) {
        await expectError(.closed, from: "finish after \(what)", file: file, line: line) {
          try await connection.finish()
        }
      }
    }
  }
}
