internal import CheckIn

extension ConformanceSuite {
  static let dialChecks: [ConformanceCheck] = [
    ConformanceCheck("T3-refused", "A dial to where nobody listens is refused, each time.") { run in
      let listener = try await run.listen()
      let endpoint = listener.endpoint
      await listener.close()
      for _ in 0..<3 {
        await run.expectError(.refused, from: "dialling \(endpoint), where nobody listens any more") {
          [transport = run.transport] in try await transport.connect(to: endpoint, before: run.deadline)
        }
      }
    },
    ConformanceCheck("T3-listener-later", "An address that refused a dial works as soon as somebody listens there.") {
      run in
      let first = try await run.listen()
      let endpoint = first.endpoint
      await first.close()
      await run.expectError(.refused, from: "dialling \(endpoint), where nobody listens") {
        [transport = run.transport] in
        try await transport.connect(to: endpoint, before: run.deadline)
      }
      let later = try await run.listen(on: endpoint)
      try await run.exchange(at: later, "at an address that refused a dial before")
    },
    ConformanceCheck("T3-nothing-left", "Refused dials leave nothing behind.") { run in
      let listener = try await run.listen()
      let endpoint = listener.endpoint
      await listener.close()
      let before = run.subject.openResources()
      for _ in 0..<200 {
        _ = try? await run.transport.connect(to: endpoint, before: run.deadline)
      }
      run.expect(
        await run.resourcesSettle(at: before + 100), "200 refused dials leave nothing open",
        "\(run.subject.openResources() - before) more resources are open than before")
    },
    ConformanceCheck(
      "T4-deadline", "A dial that finds the queue full ends by its deadline.", needs: [.queueBound]
    ) { run in
      let queue = try await run.fillQueue()
      let start = ContinuousClock.now
      await run.expectError(.timedOut, from: "a dial that finds the queue full, by its deadline") {
        [transport = run.transport] in
        try await transport.connect(to: queue.listener.endpoint, before: .now + .milliseconds(100))
      }
      let time = start.duration(to: .now)
      run.expect(time >= .milliseconds(99), "the dial waits until its deadline", "it ended after \(time)")
    },
    ConformanceCheck(
      "T4-cancelled", "A dial that waits ends soon after its task is cancelled.", needs: [.queueBound]
    ) { run in
      let queue = try await run.fillQueue()
      let dialling = await run.begun { [transport = run.transport] in
        try await transport.connect(to: queue.listener.endpoint, before: .now + .seconds(3600))
      }
      dialling.cancel()
      if let result = await run.outcome(of: dialling, "a dial whose task is cancelled") {
        run.expect(result, fails: [.cancelled], "a dial whose task is cancelled")
      }
    },
    ConformanceCheck(
      "T4-cancelled-before", "A dial of a cancelled task, or one that is too late, ends and reaches nobody."
    ) {
      run in
      let listener = try await run.listen()
      for _ in 0..<5 {
        let result = await run.alreadyCancelled("a dial of a cancelled task") { [transport = run.transport] in
          try await transport.connect(to: listener.endpoint, before: run.deadline)
        }
        if let result { run.expect(result, fails: [.cancelled], "a dial of a cancelled task") }
        await run.expectError(.timedOut, from: "a dial whose deadline has passed") { [transport = run.transport] in
          try await transport.connect(to: listener.endpoint, before: .now - .seconds(5))
        }
      }
      try await run.exchange(at: listener, "after these dials")
    },
    ConformanceCheck(
      "T4-cancelled-everywhere", "A dial that is cancelled at any of its suspension points leaves nothing behind.",
      bound: .seconds(30)
    ) { run in
      let listener = try await run.listen()
      let endpoint = listener.endpoint
      let before = run.subject.openResources()
      for point in 1...200 {
        run.step("a dial that is cancelled before its piece of work number \(point)")
        let (result, isComplete) = try await run.dial(endpoint, cancelledBefore: point)
        switch result {
        case .success(let connection): connection.abort()
        case .failure(let error as TransportError) where error.code == .cancelled: break
        case .failure(let error):
          run.record(expected: "a cancelled dial connects or throws cancelled", happened: "it threw \(error.text)")
        }
        // What did reach the listener must end: nobody holds the other end any more.
        try await run.drainQueue(of: listener, "a dial that was cancelled before its piece of work \(point)")
        if isComplete { break }
      }
      run.expect(
        await run.resourcesSettle(at: before + 20), "cancelled dials leave nothing open",
        "\(run.subject.openResources() - before) more resources are open than before")
    },
    ConformanceCheck("T4-cancelled-often", "Many dials that are cancelled while they run leave nothing behind.") {
      run in
      let listener = try await run.listen()
      let before = run.subject.openResources()
      for round in 0..<200 {
        let dialling = Task.immediate { [transport = run.transport] in
          try await transport.connect(to: listener.endpoint, before: run.deadline)
        }
        if round % 2 == 0 { await Task.yield() }
        dialling.cancel()
        if case .success(let connection) = await run.outcome(of: dialling, "a cancelled dial") { connection.abort() }
        if round % 8 == 7 { try await run.drainQueue(of: listener, "cancelled dials") }
      }
      try await run.drainQueue(of: listener, "cancelled dials")
      run.expect(
        await run.resourcesSettle(at: before + 60), "200 cancelled dials leave nothing open",
        "\(run.subject.openResources() - before) more resources are open than before")
      try await run.exchange(at: listener, "after many cancelled dials")
    },
    ConformanceCheck(
      "T12-connection-limit", "One connection above the limit is refused, and admitted when another has ended.",
      needs: [.connectionLimit]
    ) { run in
      let listener = try await run.listen()
      var pairs: [Pair] = []
      for _ in 0..<(run.subject.connectionLimit ?? 0) { pairs.append(try await run.pair(at: listener)) }
      for _ in 0..<2 {
        await run.expectError(.resourcesExhausted, from: "one dial above the limit of \(pairs.count)") {
          [transport = run.transport] in try await transport.connect(to: listener.endpoint, before: run.deadline)
        }
      }
      for pair in pairs { try await run.exchange(pair, "of a connection within the limit") }
      try await run.closeEnds(pairs[0])
      try await run.exchange(at: listener, "when another connection has ended")
    },
  ]
}

extension ConformanceRun {
  /// Dials a listener that nobody accepts at until a dial has to wait.
  func fillQueue() async throws -> (listener: any Listener, queued: [any Connection]) {
    step("dialling a listener at which nobody accepts, until a dial has to wait")
    let listener = try await listen()
    let bound = subject.queueBound ?? 0
    var queued: [any Connection] = []
    // A dial may also be late because the machine has others to serve: one more with more patience tells.
    let (short, long) = (Duration.milliseconds(100), Duration.milliseconds(500))
    var patience = short
    while queued.count <= bound {
      do throws(TransportError) {
        let connection = try await transport.connect(to: listener.endpoint, before: after(patience))
        keep(connection)
        queued.append(connection)
        patience = short
      } catch {
        try require(error.code == .timedOut, "a dial that finds the queue full throws timed_out", "it threw \(error)")
        if patience == long { return (listener, queued) }
        patience = long
      }
    }
    record(
      expected: "at most \(bound) connections wait to be accepted; then a dial waits",
      happened: "\(queued.count) dials were connected")
    throw Stop()
  }

  /// Accepts whatever is queued, each of which must be at its end, or come to it.
  func drainQueue(of listener: any Listener, _ what: String) async throws {
    // What was dialled last is accepted last (L2), so the queue is empty when this one comes. It is known by what it says: its
    // address may be one that a connection had which is gone.
    let last = try await dial(listener)
    try await send(last, [9])
    for _ in 0..<64 {
      let accepted = try await accept(listener)
      let result = await outcome(of: "waiting for the end of a connection that was left by \(what)") {
        try await accepted.receive(before: nil)
      }
      switch result {
      case .none: throw Stop()
      case .success(.finished), .failure: break
      case .success(.bytes(1)) where accepted.remote == last.local:
        accepted.abort()
        last.abort()
        return
      case .success(.bytes(let count)):
        record(expected: "no bytes from \(what)", happened: "\(count) bytes came")
      }
      accepted.abort()
    }
    record(expected: "the connection that was dialled after \(what) to be accepted", happened: "64 others were")
    throw Stop()
  }

  /// Dials in a task that is cancelled before it begins its piece of work with this number: a task is in pieces
  /// between its suspension points. Also whether the dial had ended before that.
  func dial(
    _ endpoint: Endpoint, cancelledBefore point: Int
  ) async throws -> (result: Result<any Connection, any Error>, isComplete: Bool) {
    let cancelling = CancellingPoint()
    let thread = LoneThread { number in if number == point { cancelling.reach() } }
    defer { thread.end() }
    let deadline = deadline
    let task = Task(executorPreference: thread) { [transport] in
      try await transport.connect(to: endpoint, before: deadline)
    }
    cancelling.cancel = { task.cancel() }
    let result = await outcome(of: task, "a dial that is cancelled at some point")
    guard let result else { throw Stop() }
    return (result, !cancelling.isReached)
  }
}
