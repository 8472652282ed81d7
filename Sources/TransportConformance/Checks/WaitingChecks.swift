internal import CheckIn
internal import CheckInCore

extension ConformanceSuite {
  static let waitingChecks: [ConformanceCheck] = [
    ConformanceCheck("C3-unread-peer", "A send waits while the peer does not read, so that memory stays bounded.") {
      run in
      for isNear in [true, false] {
        let pair = try await run.pair()
        let (ours, theirs) = isNear ? (pair.near, pair.far) : (pair.far, pair.near)
        let (certain, open) = try await run.fill(ours)
        // Everything that the transport has taken is there, as soon as the peer reads.
        let received = try await run.receive(theirs, exactly: certain.count, orWith: open)
        run.expect(received, are: certain + open.prefix(received.count - certain.count), "what an unread peer was sent")
        ours.abort()
        theirs.abort()
      }
    },
    ConformanceCheck(
      "C4-send-timeout", "A send that times out is sent whole or not at all, and the connection still works.",
      also: ["C2"]
    ) { run in
      let pair = try await run.pair()
      let (certain, open) = try await run.fill(pair.near)
      let marker = pattern(50, seed: 99)
      let sending = Task {
        try await run.send(pair.near, marker)
        await pair.near.close()
      }
      let received = try await run.receiveAll(pair.far)
      let expected = received.count < certain.count + open.count ? certain + marker : certain + open + marker
      run.expect(
        received, are: expected, "what came before a timeout, all or nothing of what timed out, and what came after")
      try await run.value(of: sending, "a send after a timeout, and close")
    },
    ConformanceCheck(
      "C4-send-deadline", "A send that waits ends by its deadline, and one whose deadline is past, at once."
    ) {
      run in
      let pair = try await run.pair()
      _ = try await run.fill(pair.near)
      for time in [Duration.milliseconds(100), .milliseconds(-1000)] {
        let start = ContinuousClock.now
        await run.expectError(.timedOut, from: "a send that waits, at its deadline") {
          try await pair.near.send(pattern(100_000), before: start + time)
        }
        let passed = start.duration(to: .now)
        run.expect(passed >= time, "a send waits until its deadline, \(time)", "it ended after \(passed)")
      }
    },
    ConformanceCheck(
      "C4-receive-deadline", "A receive without bytes ends by its deadline, and one whose deadline is past, at once."
    ) {
      run in
      let pair = try await run.pair()
      for time in [Duration.milliseconds(60), .milliseconds(-1000), .milliseconds(10)] {
        let start = ContinuousClock.now
        await run.expectError(.timedOut, from: "a receive without bytes, at its deadline") {
          try await pair.far.receive(before: start + time)
        }
        let passed = start.duration(to: .now)
        run.expect(passed >= time, "a receive waits until its deadline, \(time)", "it ended after \(passed)")
      }
      try await run.exchange(pair, "after receives that timed out")
      try await run.close(pair)
    },
    ConformanceCheck("C5-deadlines", "A send’s deadline does not touch a receive, nor the other way round.") { run in
      let pair = try await run.pair()
      let receiving = await run.begun { try await run.receive(pair.near, exactly: 3) }
      let (certain, open) = try await run.fill(pair.near)
      // The send has timed out; the receive waits on.
      try await run.send(pair.far, [1, 2, 3])
      run.expect(
        try await run.value(of: receiving, "a receive beside a send that timed out"), are: [1, 2, 3], "the receive")
      let sending = await run.begun { try await pair.near.send(pattern(200_000), before: run.after(.seconds(3600))) }
      await run.expectError(.timedOut, from: "a receive beside a send that waits") {
        try await pair.near.receive(before: run.after(.milliseconds(30)))
      }
      // The receive has timed out; the send waits on, and goes out when the peer reads.
      let draining = Task {
        _ = try await run.receive(pair.far, exactly: certain.count + 200_000, orWith: open)
      }
      try await run.value(of: sending, "a send beside a receive that timed out, when the peer reads")
      try await run.value(of: draining, "reading all that was sent")
    },
    ConformanceCheck("C5-both-wait", "While a send waits, bytes can be received, and while a receive waits, sent.") {
      run in
      let pair = try await run.pair()
      let receiving = await run.begun { try await run.receive(pair.near, exactly: 1) }
      for _ in 0..<20 { try await run.send(pair.near, pattern(500)) }
      _ = try await run.receive(pair.far, exactly: 10_000)
      try await run.send(pair.far, [5])
      run.expect(try await run.value(of: receiving, "a receive that waited"), are: [5], "a receive that waited")
      _ = try await run.fill(pair.near)
      let sending = await run.begun { try await pair.near.send(pattern(100_000), before: run.after(.seconds(3600))) }
      for byte in UInt8(0)..<20 {
        try await run.send(pair.far, [byte])
        run.expect(try await run.receive(pair.near, exactly: 1), are: [byte], "receiving while a send waits")
      }
      pair.near.abort()
      _ = await run.outcome(of: sending, "a send that waits, when its connection is aborted")
    },
  ]
}

extension ConformanceRun {
  /// At least `count` bytes. Where more come they are as many as `open`, or none.
  func receive(
    _ connection: any Connection, exactly count: Int, orWith open: [UInt8], file: String = #fileID, line: Int = #line
  ) async throws -> [UInt8] {
    var queue = ByteQueue()
    while queue.count < count {
      let reception = try await receive(connection, into: &queue, file: file, line: line)
      try require(
        reception != .finished, "at least \(count) bytes", "the end came after \(queue.count)", file: file, line: line)
    }
    while queue.count > count, queue.count < count + open.count {
      let reception = try await receive(connection, into: &queue, file: file, line: line)
      try require(
        reception != .finished, "\(count) or \(count + open.count) bytes", "the end came after \(queue.count)",
        file: file, line: line)
    }
    try require(
      queue.count == count || queue.count == count + open.count, "\(count) or \(count + open.count) bytes",
      "\(queue.count) came", file: file, line: line)
    return queue.take(queue.count)
  }
}
