internal import CheckIn
internal import CheckInCore

extension ConformanceSuite {
  static let halfCloseChecks: [ConformanceCheck] = [
    ConformanceCheck(
      "C6-large-reply", "After finish a large reply can still be received.", needs: [.capability(.halfClose)],
      bound: .seconds(30)
    ) { run in
      let pair = try await run.pair()
      let request = pattern(200_000, seed: 1)
      let reply = pattern(run.volume(2 << 20), seed: 2)
      let asking = Task {
        try await run.send(pair.near, request)
        try await pair.near.finish()
      }
      run.expect(try await run.receiveAll(pair.far), are: request, "the request, up to the end")
      try await run.value(of: asking, "a request and finish")
      let answering = Task { try await run.send(pair.far, reply) }
      run.expect(try await run.receive(pair.near, exactly: reply.count), are: reply, "the reply")
      try await run.value(of: answering, "the reply, after the peer has finished")
      try await run.close(pair)
    },
    ConformanceCheck(
      "C6-after-pending", "What still waits to go out goes out before the end.", needs: [.capability(.halfClose)]
    ) {
      run in
      let pair = try await run.pair()
      let (certain, open) = try await run.fill(pair.near)
      // A send that waits, and will be done: it was there before the end.
      let last = pattern(30_000, seed: 5)
      let sending = await run.begun { try await pair.near.send(last, before: run.deadline) }
      try await run.value(of: "finish beside a send that waits") { try await pair.near.finish() }
      let received = try await run.receiveAll(pair.far)
      let expected = received.count < certain.count + open.count + last.count ? certain + last : certain + open + last
      run.expect(received, are: expected, "all that was sent before finish")
      try await run.value(of: sending, "a send that waited when finish was called")
      try await run.close(pair)
    },
    ConformanceCheck("C6-end-again", "The peer finds the end again and again.", needs: [.capability(.halfClose)]) {
      run in
      let pair = try await run.pair()
      try await run.send(pair.near, [1])
      try await pair.near.finish()
      run.expect(try await run.receive(pair.far, exactly: 1), are: [1], "the last byte")
      for time in 1...3 {
        run.expect(try await run.receiveOnce(pair.far) == .finished, "the end, for the \(time). time")
      }
      try await run.exchangeBack(pair)
      run.expect(try await run.receiveOnce(pair.far) == .finished, "the end, after the other direction was used")
      try await run.close(pair)
    },
    ConformanceCheck(
      "C6-after-finish", "After finish a send throws closed, and finish again does nothing.",
      needs: [.capability(.halfClose)]
    ) { run in
      let pair = try await run.pair()
      for _ in 0..<2 { try await run.value(of: "finish") { try await pair.near.finish() } }
      await run.expectError(.closed, from: "a send after finish") {
        try await pair.near.send([1], before: run.deadline)
      }
      run.expect(try await run.receiveOnce(pair.far) == .finished, "the end, and nothing that came after it")
      try await run.exchangeBack(pair)
      try await run.close(pair)
    },
    ConformanceCheck(
      "C6-both-finish", "When both ends have finished, close is at once.", needs: [.capability(.halfClose)]
    ) {
      run in
      let pair = try await run.pair()
      for connection in [pair.near, pair.far] {
        try await run.send(connection, [1])
        try await run.value(of: "finish") { try await connection.finish() }
      }
      for connection in [pair.near, pair.far] {
        run.expect(try await run.receiveAll(connection), are: [1], "what the peer sent before its end")
      }
      try await run.value(of: "close, when both have finished") { await pair.near.close() }
      try await run.value(of: "close, when both have finished") { await pair.far.close() }
    },
  ]
}

extension ConformanceRun {
  /// The far end can still send.
  fileprivate func exchangeBack(_ pair: Pair) async throws {
    try await send(pair.far, [1, 2, 3])
    expect(try await receive(pair.near, exactly: 3), are: [1, 2, 3], "what the peer sends after our finish")
  }
}
