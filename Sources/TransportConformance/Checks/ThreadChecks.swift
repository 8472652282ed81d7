internal import CheckIn
internal import CheckInCore

extension ConformanceSuite {
  static let threadChecks: [ConformanceCheck] = [
    ConformanceCheck("T9-accept", "An accept that waits does not block its thread.") { run in
      let listener = try await run.listen()
      try await run.expectFreeThread("an accept that waits") { try await listener.accept() }
    },
    ConformanceCheck("T9-receive", "A receive that waits does not block its thread.") { run in
      let pair = try await run.pair()
      try await run.expectFreeThread("a receive that waits") { try await pair.near.receive(before: nil) }
    },
    ConformanceCheck("T9-send", "A send that waits does not block its thread.") { run in
      let pair = try await run.pair()
      _ = try await run.fill(pair.near)
      try await run.expectFreeThread("a send that waits") { try await pair.near.send(pattern(100_000), before: nil) }
    },
    ConformanceCheck("T9-dial", "A dial that waits does not block its thread.", needs: [.queueBound]) { run in
      let queue = try await run.fillQueue()
      try await run.expectFreeThread("a dial that waits") { [transport = run.transport] in
        try await transport.connect(to: queue.listener.endpoint, before: run.deadline)
      }
    },
    ConformanceCheck("T9-close", "A close that waits does not block its thread.") { run in
      let pair = try await run.pair()
      _ = try await run.fill(pair.near)
      try await run.expectFreeThread("a close that waits", end: { pair.near.abort() }) { await pair.near.close() }
    },
    ConformanceCheck("T9-many-wait", "Many calls that wait leave the threads to others.") { run in
      let listener = try await run.listen()
      let silent = try await run.pair(at: listener)
      var waiting: [Task<Void, any Error>] = []
      for _ in 0..<64 { waiting.append(Task { _ = try await listener.accept() }) }
      for connection in [silent.near, silent.far] {
        waiting.append(Task { _ = try await connection.receive(before: nil) })
      }
      let other = try await run.listen()
      try await run.exchange(at: other, "beside many calls that wait")
      for task in waiting { task.cancel() }
      for task in waiting { _ = await run.outcome(of: task, "a call that is cancelled") }
    },
  ]
}

extension ConformanceRun {
  /// Records a failure unless a task on the same thread gets its turn while the call waits.
  func expectFreeThread<Value: Sendable>(
    _ what: String, end: () -> Void = {}, file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws {
    let thread = LoneThread()
    defer { thread.end() }
    let waiting = Task(executorPreference: thread) { try await body() }
    // On one thread, one after the other: when this has had its turn, the call has begun, and has let go of the thread.
    let other = Task(executorPreference: thread) {
      await Task.yield()
      return true
    }
    await outcome(of: "another task on the thread of \(what)", within: .seconds(2), file: file, line: line) {
      await other.value
    }.ignore()
    waiting.cancel()
    end()
    await outcome(of: waiting, "\(what), when it is cancelled", within: .seconds(12), file: file, line: line).ignore()
  }
}

extension Optional {
  /// The failure, if there is one, has been recorded.
  fileprivate func ignore() {}
}
